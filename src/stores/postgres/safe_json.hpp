#pragma once

#include <string>
#include <string_view>

namespace sms::detail {

/// JSON text that jsonb takes: U+0000, lone surrogates and bytes that are not UTF-8 become U+FFFD, so that no outcome
/// is lost for a character.
std::string safe_json(std::string_view json);
/// The same for a plain text.
std::string safe_text(std::string_view text);

}  // namespace sms::detail
