#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace sms::simulator {

// Times are milliseconds since 1970, UTC.

std::int64_t now_ms();
/// `2026-01-02T03:04:05.000+00:00`
std::string iso8601(std::int64_t ms);
/// `Fri, 02 Jan 2026 03:04:05 +0000`
std::string rfc2822(std::int64_t ms);
/// `2026-01-02` or `2026-01-02T03:04:05`, the latter with or without a fraction, followed by `Z`, an offset or nothing.
std::optional<std::int64_t> parse_iso8601(const std::string& text);

}  // namespace sms::simulator
