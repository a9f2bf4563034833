#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sms::detail {

/// What a code point is, in words for people: "curly quote", "emoji", "Cyrillic letter", ...
std::string_view kind_of(char32_t code_point) noexcept;

/// GSM-7 text that looks the same, for a code point that GSM-7 does not have; empty text: leave it out.
std::optional<std::string> look_alike_of(char32_t code_point);

/// Whether it changes the look of the character before it: accents, variation selectors.
bool is_mark(char32_t code_point) noexcept;

/// The letter of GSM-7 that a base letter and one accent make together.
std::optional<std::string_view> composed(char32_t base, char32_t mark) noexcept;

}  // namespace sms::detail
