#include "duration.hpp"

#include <cstdint>
#include <iterator>

namespace sms::cli {

std::string format_duration(std::chrono::milliseconds duration) {
  const std::int64_t count = duration.count();
  if (count == 0) return "0s";
  for (const auto& unit : detail::duration_units) {
    if (count % unit.length.count() == 0) return std::to_string(count / unit.length.count()) + std::string(unit.name);
  }
  return std::to_string(count) + "ms";
}

std::string format_age(std::chrono::milliseconds age) {
  const auto& units = detail::duration_units;
  std::int64_t rest = age.count() < 0 ? 0 : age.count();
  for (std::size_t i = 0; i + 2 < std::size(units); ++i) {
    if (rest < units[i].length.count()) continue;
    const auto& next = units[i + 1];
    std::string text = std::to_string(rest / units[i].length.count()) + std::string(units[i].name);
    rest %= units[i].length.count();
    if (rest >= next.length.count()) text += " " + std::to_string(rest / next.length.count()) + std::string(next.name);
    return text;
  }
  return std::to_string(rest / 1'000) + "s";
}

}  // namespace sms::cli
