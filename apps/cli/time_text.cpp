#include "time_text.hpp"

namespace sms::cli {

namespace {

/// Takes fixed pieces off the front of a text.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  int number(std::size_t digits) {
    int value = 0;
    if (rest_.size() < digits) return fail();
    for (std::size_t i = 0; i < digits; ++i) {
      if (rest_[i] < '0' || rest_[i] > '9') return fail();
      value = value * 10 + (rest_[i] - '0');
    }
    rest_.remove_prefix(digits);
    return value;
  }
  bool accept(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail();
  }
  bool at_digit() const { return !rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9'; }
  int fail() {
    failed_ = true;
    return 0;
  }
  bool done() const { return !failed_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool failed_ = false;
};

std::chrono::milliseconds fraction(Scanner& scan) {
  if (!scan.accept('.')) return std::chrono::milliseconds(0);
  if (!scan.at_digit()) scan.fail();
  int value = 0;
  int scale = 100;
  while (scan.at_digit()) {
    value += scan.number(1) * scale;
    scale /= 10;
  }
  return std::chrono::milliseconds(value);
}

std::chrono::minutes offset(Scanner& scan) {
  if (scan.accept('Z') || scan.accept('z')) return std::chrono::minutes(0);
  const int sign = scan.accept('-') ? -1 : 1;
  if (sign == 1) scan.expect('+');
  const int hours = scan.number(2);
  scan.expect(':');
  const int minutes = scan.number(2);
  if (hours > 23 || minutes > 59) scan.fail();
  return std::chrono::minutes(sign * (hours * 60 + minutes));
}

}  // namespace

std::optional<WallTime> parse_time(std::string_view text) {
  Scanner scan(text);
  const std::chrono::year year(scan.number(4));
  scan.expect('-');
  const std::chrono::month month(static_cast<unsigned>(scan.number(2)));
  scan.expect('-');
  const std::chrono::day day(static_cast<unsigned>(scan.number(2)));
  if (!scan.accept('T') && !scan.accept('t')) scan.expect(' ');
  const int hour = scan.number(2);
  scan.expect(':');
  const int minute = scan.number(2);
  scan.expect(':');
  const int second = scan.number(2);
  const std::chrono::milliseconds parts = fraction(scan);
  const std::chrono::minutes zone = offset(scan);
  const std::chrono::year_month_day date(year, month, day);
  if (!scan.done() || !date.ok() || hour > 23 || minute > 59 || second > 59) return std::nullopt;
  return std::chrono::sys_days(date) + std::chrono::hours(hour) + std::chrono::minutes(minute) +
         std::chrono::seconds(second) + parts - zone;
}

}  // namespace sms::cli
