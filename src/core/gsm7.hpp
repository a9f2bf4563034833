#pragma once

#include <array>
#include <cstdint>

namespace sms::detail {

/// The GSM 03.38 default alphabet (one septet) and its extension table (two), by code point.
inline constexpr char32_t gsm7_table_end = 0x3B0;
inline constexpr auto gsm7_table = [] {
  std::array<std::uint8_t, gsm7_table_end> septets{};
  for (char32_t c = U' '; c <= U'Z'; ++c) septets[c] = 1;
  for (char32_t c = U'a'; c <= U'z'; ++c) septets[c] = 1;
  for (char32_t c : U"\n\r_£¥èéùìòÇØøÅåΔΦΓΛΩΠΨΣΘΞÆæßÉ¤¡ÄÖÑÜ§¿äöñüà") septets[c] = 1;
  for (char32_t c : U"\f^{}\\[~]|") septets[c] = 2;
  septets[0] = 0;
  return septets;
}();

/// Septets of a code point; 0 when GSM-7 does not have it.
constexpr int gsm7_septets(char32_t code_point) {
  if (code_point < gsm7_table_end) return gsm7_table[code_point];
  return code_point == U'€' ? 2 : 0;
}

}  // namespace sms::detail
