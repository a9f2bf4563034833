#pragma once

#include <string_view>

namespace sms {

/// Version of this library, `major.minor.patch`.
inline constexpr std::string_view version = "0.1.0";

}  // namespace sms
