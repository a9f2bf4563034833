#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sms::detail {

std::string to_base64(std::string_view bytes);

/// Decodes base64 of either alphabet, with or without padding; absent for anything else.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace sms::detail
