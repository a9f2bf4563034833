#include <sms/adapter_kit.hpp>

#include <algorithm>
#include <array>
#include <cstdint>

namespace sms {
namespace {

using std::chrono::milliseconds;

// As much as a JSON number holds exactly.
constexpr milliseconds longest_wait(9'007'199'254'740'991);

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool same(std::string_view a, std::string_view b) noexcept {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

milliseconds delta_seconds(std::string_view digits) {
  std::int64_t seconds = 0;
  for (const char c : digits) seconds = std::min<std::int64_t>(seconds * 10 + (c - '0'), longest_wait.count());
  return seconds > longest_wait.count() / 1000 ? longest_wait : milliseconds(seconds * 1000);
}

// Takes the parts of a date from the front of a text; after the first failure nothing fits any more.
class DateReader {
 public:
  explicit DateReader(std::string_view text) : rest_(text) {}

  void literal(std::string_view text) {
    if (!fits_ || !same(rest_.substr(0, text.size()), text)) return fail();
    rest_.remove_prefix(text.size());
  }
  int digits(std::size_t count) {
    int number = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (rest_.empty() || !is_digit(rest_[0])) {
        fail();
        return 0;
      }
      number = number * 10 + (rest_[0] - '0');
      rest_.remove_prefix(1);
    }
    return number;
  }
  // A day in two places, the first of which may be blank.
  int padded_day() {
    if (!rest_.starts_with(' ')) return digits(2);
    rest_.remove_prefix(1);
    return digits(1);
  }
  template <std::size_t n>
  unsigned name(const std::array<std::string_view, n>& names) {
    for (std::size_t i = 0; i < n; ++i) {
      if (!fits_ || !same(rest_.substr(0, names[i].size()), names[i])) continue;
      rest_.remove_prefix(names[i].size());
      return static_cast<unsigned>(i);
    }
    fail();
    return 0;
  }
  std::chrono::seconds time_of_day() {
    const int hours = digits(2);
    literal(":");
    const int minutes = digits(2);
    literal(":");
    const int seconds = digits(2);
    if (hours > 23 || minutes > 59 || seconds > 60) fail();
    return std::chrono::hours(hours) + std::chrono::minutes(minutes) + std::chrono::seconds(seconds);
  }
  bool done() const { return fits_ && rest_.empty(); }

 private:
  void fail() {
    fits_ = false;
    rest_ = {};
  }
  std::string_view rest_;
  bool fits_ = true;
};

constexpr std::array<std::string_view, 12> months = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
constexpr std::array<std::string_view, 7> days = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
constexpr std::array<std::string_view, 7> long_days = {"Monday", "Tuesday",  "Wednesday", "Thursday",
                                                       "Friday", "Saturday", "Sunday"};

std::optional<WallTime> moment(const DateReader& reader, int year, unsigned month, int day, std::chrono::seconds time) {
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(month + 1),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!reader.done() || !date.ok()) return std::nullopt;
  return std::chrono::sys_days(date) + time;
}

// Sun, 06 Nov 1994 08:49:37 GMT
std::optional<WallTime> imf_fixdate(std::string_view text) {
  DateReader reader(text);
  reader.name(days);
  reader.literal(", ");
  const int day = reader.digits(2);
  reader.literal(" ");
  const unsigned month = reader.name(months);
  reader.literal(" ");
  const int year = reader.digits(4);
  reader.literal(" ");
  const auto time = reader.time_of_day();
  reader.literal(" GMT");
  return moment(reader, year, month, day, time);
}

// Sunday, 06-Nov-94 08:49:37 GMT; a year more than 50 years ahead is of the century before.
std::optional<WallTime> rfc850_date(std::string_view text, WallTime now) {
  DateReader reader(text);
  reader.name(long_days);
  reader.literal(", ");
  const int day = reader.digits(2);
  reader.literal("-");
  const unsigned month = reader.name(months);
  reader.literal("-");
  const int two_digits = reader.digits(2);
  reader.literal(" ");
  const auto time = reader.time_of_day();
  reader.literal(" GMT");
  const std::chrono::year_month_day today{std::chrono::floor<std::chrono::days>(now)};
  const int this_year = static_cast<int>(today.year());
  int year = this_year - this_year % 100 + two_digits;
  if (year > this_year + 50) year -= 100;
  return moment(reader, year, month, day, time);
}

// Sun Nov  6 08:49:37 1994
std::optional<WallTime> asctime_date(std::string_view text) {
  DateReader reader(text);
  reader.name(days);
  reader.literal(" ");
  const unsigned month = reader.name(months);
  reader.literal(" ");
  const int day = reader.padded_day();
  reader.literal(" ");
  const auto time = reader.time_of_day();
  reader.literal(" ");
  const int year = reader.digits(4);
  return moment(reader, year, month, day, time);
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t";
  text.remove_prefix(std::min(text.find_first_not_of(blank), text.size()));
  return text.substr(0, text.find_last_not_of(blank) + 1);
}

}  // namespace

std::optional<milliseconds> parse_retry_after(std::string_view value, WallTime now) {
  const std::string_view text = trimmed(value);
  if (!text.empty() && std::all_of(text.begin(), text.end(), is_digit)) return delta_seconds(text);
  auto date = imf_fixdate(text);
  if (!date) date = rfc850_date(text, now);
  if (!date) date = asctime_date(text);
  if (!date) return std::nullopt;
  return std::max(milliseconds(0), *date - now);
}

}  // namespace sms
