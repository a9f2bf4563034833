#pragma once

#include <sms/clock.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace sms::cli {

/// `2026-11-30T12:00:00Z`, with an optional fraction and `Z` or an offset such as `+02:00` (RFC 3339). Absent for
/// anything else, also for a day that does not exist and for a time without a zone: whose local time it is cannot be
/// known.
std::optional<WallTime> parse_time(std::string_view text);

inline constexpr std::string_view time_rule = "must be a time with its zone, such as 2026-11-30T12:00:00Z";

}  // namespace sms::cli
