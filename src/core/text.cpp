#include "core/text.hpp"

namespace sms::detail {
namespace {

constexpr Decoded invalid{0xFFFD, 1, false};

constexpr bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

}  // namespace

Decoded decode_utf8(std::string_view text) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const char32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};

  std::size_t length = 0;
  char32_t smallest = 0;
  if (lead >= 0xC2 && lead < 0xE0) {
    length = 2, smallest = 0x80;
  } else if (lead >= 0xE0 && lead < 0xF0) {
    length = 3, smallest = 0x800;
  } else if (lead >= 0xF0 && lead < 0xF5) {
    length = 4, smallest = 0x10000;
  } else {
    return invalid;
  }
  if (text.size() < length) return invalid;

  char32_t code_point = lead & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if (!is_continuation(text[i])) return invalid;
    code_point = (code_point << 6) | (byte(i) & 0x3Fu);
  }
  const bool surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
  if (code_point < smallest || code_point > 0x10FFFF || surrogate) return invalid;
  return {code_point, length, true};
}

bool is_valid_utf8(std::string_view text) noexcept {
  while (!text.empty()) {
    const auto next = decode_utf8(text);
    if (!next.valid) return false;
    text.remove_prefix(next.length);
  }
  return true;
}

std::size_t utf16_length(std::string_view text) noexcept {
  std::size_t units = 0;
  while (!text.empty()) {
    const auto next = decode_utf8(text);
    units += next.code_point > 0xFFFF ? 2 : 1;
    text.remove_prefix(next.length);
  }
  return units;
}

bool has_control_character(std::string_view text) noexcept {
  while (!text.empty()) {
    const auto next = decode_utf8(text);
    if (next.code_point < 0x20 || (next.code_point >= 0x7F && next.code_point < 0xA0)) return true;
    text.remove_prefix(next.length);
  }
  return false;
}

bool is_ecma_space(char32_t code_point) noexcept {
  switch (code_point) {
    case 0x20:
    case 0xA0:
    case 0x1680:
    case 0x2028:
    case 0x2029:
    case 0x202F:
    case 0x205F:
    case 0x3000:
    case 0xFEFF:
      return true;
    default:
      return (code_point >= 0x09 && code_point <= 0x0D) || (code_point >= 0x2000 && code_point <= 0x200A);
  }
}

std::string_view trim_ecma(std::string_view text) noexcept {
  while (!text.empty()) {
    const auto first = decode_utf8(text);
    if (!is_ecma_space(first.code_point)) break;
    text.remove_prefix(first.length);
  }
  while (!text.empty()) {
    std::size_t start = text.size() - 1;
    while (start > 0 && is_continuation(text[start])) --start;
    const auto last = decode_utf8(text.substr(start));
    if (start + last.length != text.size() || !is_ecma_space(last.code_point)) break;
    text.remove_suffix(last.length);
  }
  return text;
}

}  // namespace sms::detail
