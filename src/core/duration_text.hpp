#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace sms::detail {

/// `500ms`, `10s`, `5m`, `24h`, `7d`: digits and one unit. Absent for anything else, also for what overflows.
std::optional<std::chrono::milliseconds> parse_duration(std::string_view text);

/// What a duration must look like, for error texts.
inline constexpr std::string_view duration_rule = "must be a duration such as 500ms, 10s, 5m, 24h or 7d";

/// From the largest to the smallest.
struct DurationUnit {
  std::string_view name;
  std::chrono::milliseconds length;
};
inline constexpr DurationUnit duration_units[] = {{"d", std::chrono::hours(24)},
                                                  {"h", std::chrono::hours(1)},
                                                  {"m", std::chrono::minutes(1)},
                                                  {"s", std::chrono::seconds(1)},
                                                  {"ms", std::chrono::milliseconds(1)}};

}  // namespace sms::detail
