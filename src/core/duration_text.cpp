#include "core/duration_text.hpp"

#include <charconv>
#include <cstdint>
#include <limits>

namespace sms::detail {

std::optional<std::chrono::milliseconds> parse_duration(std::string_view text) {
  std::uint64_t count = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (fault != std::errc{}) return std::nullopt;
  const std::string_view name(end, static_cast<std::size_t>(text.data() + text.size() - end));
  for (const auto& unit : duration_units) {
    if (unit.name != name) continue;
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (count > most / static_cast<std::uint64_t>(unit.length.count())) return std::nullopt;
    return static_cast<std::int64_t>(count) * unit.length;
  }
  return std::nullopt;
}

}  // namespace sms::detail
