#pragma once

#include "core/duration_text.hpp"

#include <chrono>
#include <string>

namespace sms::cli {

using detail::duration_rule;
using detail::parse_duration;

/// The notation of `parse_duration`, in the largest unit that says it exactly: `90s`, `24h`.
std::string format_duration(std::chrono::milliseconds duration);

/// An age for people, in its two largest units: `3d 4h`, `12m 5s`, `0s`.
std::string format_age(std::chrono::milliseconds age);

}  // namespace sms::cli
