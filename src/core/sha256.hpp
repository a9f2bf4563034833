#pragma once

#include <string>
#include <string_view>

namespace sms::detail {

/// Lower-case hex. The algorithm is fetched once per process.
std::string sha256_hex(std::string_view bytes);

}  // namespace sms::detail
