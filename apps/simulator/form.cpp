#include "simulator/exchange.hpp"

namespace sms::simulator {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string decode(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escaped =
        text[i] == '%' && i + 2 < text.size() && hex_digit(text[i + 1]) >= 0 && hex_digit(text[i + 2]) >= 0;
    if (escaped) {
      out += static_cast<char>(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2]));
      i += 2;
    } else {
      out += text[i] == '+' ? ' ' : text[i];
    }
  }
  return out;
}

}  // namespace

std::map<std::string, std::string, std::less<>> parse_form(std::string_view text) {
  std::map<std::string, std::string, std::less<>> fields;
  while (!text.empty()) {
    const auto pair = text.substr(0, text.find('&'));
    text.remove_prefix(pair.size() == text.size() ? pair.size() : pair.size() + 1);
    const auto equals = pair.find('=');
    if (!pair.empty())
      fields[decode(pair.substr(0, equals))] = equals == std::string_view::npos ? "" : decode(pair.substr(equals + 1));
  }
  return fields;
}

}  // namespace sms::simulator
