#pragma once

#include <optional>
#include <string_view>

namespace sms::detail {

/// The enumerator of a wire word; absent for a word that this version does not know.
template <class Enum>
std::optional<Enum> from_word(std::string_view word) noexcept {
  for (int value = 0;; ++value) {
    const std::string_view known = to_string(static_cast<Enum>(value));
    if (known.empty()) return std::nullopt;
    if (known == word) return static_cast<Enum>(value);
  }
}

}  // namespace sms::detail
