#include <sms/adapter_kit.hpp>

#include <cstdint>
#include <cstdlib>
#include <string>

namespace sms {
namespace {

struct Date {
  std::int64_t year;
  unsigned month, day;
};

// std::chrono::year ends at 32767, ECMAScript's years go on to 275760. The calendar repeats every 400 years.
Date date_of(std::chrono::sys_days day) {
  constexpr std::chrono::days cycle(146'097);
  const std::int64_t cycles =
      std::chrono::floor<std::chrono::duration<std::int64_t, std::ratio<146'097 * 86'400LL>>>(day.time_since_epoch())
          .count();
  const std::chrono::year_month_day date{day - cycles * cycle};
  return {cycles * 400 + static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
          static_cast<unsigned>(date.day())};
}

void append_padded(std::string& out, std::int64_t number, std::size_t width) {
  const std::string digits = std::to_string(number);
  out.append(width > digits.size() ? width - digits.size() : 0, '0').append(digits);
}

void append_year(std::string& out, std::int64_t year) {
  const bool plain = year >= 0 && year <= 9999;
  if (!plain) out += year < 0 ? '-' : '+';
  append_padded(out, std::abs(year), plain ? 4 : 6);
}

}  // namespace

std::string to_iso8601(WallTime time) {
  std::string out;
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::hh_mm_ss clock(time - day);
  const Date date = date_of(day);
  append_year(out, date.year);
  out += '-';
  append_padded(out, date.month, 2);
  out += '-';
  append_padded(out, date.day, 2);
  out += 'T';
  append_padded(out, clock.hours().count(), 2);
  out += ':';
  append_padded(out, clock.minutes().count(), 2);
  out += ':';
  append_padded(out, clock.seconds().count(), 2);
  out += '.';
  append_padded(out, clock.subseconds().count(), 3);
  out += 'Z';
  return out;
}

}  // namespace sms
