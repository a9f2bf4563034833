#pragma once

#include <cstdint>

namespace sms::tests {

/// A port of this machine on which nobody listened a moment ago.
std::uint16_t free_port();

}  // namespace sms::tests
