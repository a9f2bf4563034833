#include <sms/phone_number.hpp>

#include "core/text.hpp"

namespace sms {

bool is_e164(std::string_view text) noexcept {
  if (text.size() < 3 || text.size() > 16 || text[0] != '+' || text[1] == '0') return false;
  for (char c : text.substr(1)) {
    if (c < '0' || c > '9') return false;
  }
  return true;
}

std::string mask_phone_number(std::string_view text) {
  const std::size_t length = detail::utf16_length(text);
  if (length <= 4) return std::string(length, '*');

  const std::size_t kept_before = text.front() == '+' ? 2 : 1;
  const std::size_t kept_from = length - 2;
  std::string masked;
  masked.reserve(text.size());
  for (std::size_t unit = 0; !text.empty();) {
    const auto next = detail::decode_utf8(text);
    const std::size_t units = next.code_point > 0xFFFF ? 2 : 1;
    const bool kept = next.valid && (unit + units <= kept_before || unit >= kept_from);
    if (kept) {
      masked.append(text.substr(0, next.length));
    } else {
      masked.append(units, '*');
    }
    unit += units;
    text.remove_prefix(next.length);
  }
  return masked;
}

}  // namespace sms
