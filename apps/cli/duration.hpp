#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace sms::cli {

/// `500ms`, `10s`, `5m`, `24h`, `7d`: digits and one unit. Absent for anything else, also for what overflows.
std::optional<std::chrono::milliseconds> parse_duration(std::string_view text);

/// The same notation, in the largest unit that says it exactly: `90s`, `24h`.
std::string format_duration(std::chrono::milliseconds duration);

/// An age for people, in its two largest units: `3d 4h`, `12m 5s`, `0s`.
std::string format_age(std::chrono::milliseconds age);

/// What a duration must look like, for error texts.
inline constexpr std::string_view duration_rule = "must be a duration such as 500ms, 10s, 5m, 24h or 7d";

}  // namespace sms::cli
