#pragma once

#include <cstddef>
#include <string_view>

namespace sms::detail {

bool is_valid_utf8(std::string_view text) noexcept;

/// Length in UTF-16 code units; a byte that is not part of valid UTF-8 counts one.
std::size_t utf16_length(std::string_view text) noexcept;

/// Whether the text has a control character (C0, DEL or C1).
bool has_control_character(std::string_view text) noexcept;

/// ECMAScript's white space and line terminators (`\s`).
bool is_ecma_space(char32_t code_point) noexcept;
std::string_view trim_ecma(std::string_view text) noexcept;

/// One code point from the front of `text` (U+FFFD for an invalid byte), with its length in bytes. Precondition: not
/// empty.
struct Decoded {
  char32_t code_point;
  std::size_t length;
  bool valid;
};
Decoded decode_utf8(std::string_view text) noexcept;

}  // namespace sms::detail
