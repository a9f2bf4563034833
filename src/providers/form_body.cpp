#include "providers/form_body.hpp"

namespace sms::detail {
namespace {

bool stays(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '*' || c == '-' ||
         c == '.' || c == '_';
}

}  // namespace

FormBody& FormBody::add(std::string_view name, std::string_view value) {
  if (!text_.empty()) text_ += '&';
  append(name);
  text_ += '=';
  append(value);
  return *this;
}

void FormBody::append(std::string_view text) {
  static constexpr std::string_view hex = "0123456789ABCDEF";
  for (const char c : text) {
    if (stays(c)) {
      text_ += c;
    } else if (c == ' ') {
      text_ += '+';
    } else {
      const auto byte = static_cast<unsigned char>(c);
      text_ += '%';
      text_ += hex[byte >> 4U];
      text_ += hex[byte & 15U];
    }
  }
}

}  // namespace sms::detail
