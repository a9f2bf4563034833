#pragma once

#include <sms/clock.hpp>

namespace sms::detail {

/// The last moment that an ECMAScript date can name.
inline constexpr WallTime latest_iso_time{std::chrono::milliseconds(8'640'000'000'000'000)};

}  // namespace sms::detail
