#include "duration.hpp"

#include <array>
#include <charconv>
#include <cstdint>
#include <limits>

namespace sms::cli {

namespace {

struct Unit {
  std::string_view name;
  std::int64_t milliseconds;
};
constexpr std::array<Unit, 5> units{{{"d", 86'400'000}, {"h", 3'600'000}, {"m", 60'000}, {"s", 1'000}, {"ms", 1}}};

}  // namespace

std::optional<std::chrono::milliseconds> parse_duration(std::string_view text) {
  std::uint64_t count = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (fault != std::errc{}) return std::nullopt;
  const std::string_view name(end, static_cast<std::size_t>(text.data() + text.size() - end));
  for (const Unit& unit : units) {
    if (unit.name != name) continue;
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (count > most / static_cast<std::uint64_t>(unit.milliseconds)) return std::nullopt;
    return std::chrono::milliseconds(static_cast<std::int64_t>(count) * unit.milliseconds);
  }
  return std::nullopt;
}

std::string format_duration(std::chrono::milliseconds duration) {
  const std::int64_t count = duration.count();
  if (count == 0) return "0s";
  for (const Unit& unit : units) {
    if (count % unit.milliseconds == 0) return std::to_string(count / unit.milliseconds) + std::string(unit.name);
  }
  return std::to_string(count) + "ms";
}

std::string format_age(std::chrono::milliseconds age) {
  std::int64_t rest = age.count() < 0 ? 0 : age.count();
  for (std::size_t i = 0; i + 2 < units.size(); ++i) {
    if (rest < units[i].milliseconds) continue;
    const Unit& next = units[i + 1];
    std::string text = std::to_string(rest / units[i].milliseconds) + std::string(units[i].name);
    rest %= units[i].milliseconds;
    if (rest >= next.milliseconds) text += " " + std::to_string(rest / next.milliseconds) + std::string(next.name);
    return text;
  }
  return std::to_string(rest / 1'000) + "s";
}

}  // namespace sms::cli
