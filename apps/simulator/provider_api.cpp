#include "simulator/provider_api.hpp"

#include "simulator/times.hpp"

#include <algorithm>
#include <cctype>

namespace sms::simulator {
namespace {

bool is_digit(unsigned char c) { return std::isdigit(c) != 0; }

}  // namespace

bool is_number(std::string_view text) {
  return text.size() >= 3 && text.size() <= 16 && text[0] == '+' && text[1] != '0' &&
         std::ranges::all_of(text.substr(1), is_digit);
}

bool is_short_code(std::string_view text) {
  return text.size() >= 3 && text.size() <= 8 && std::ranges::all_of(text, is_digit);
}

bool is_alphanumeric_sender(std::string_view text) {
  return !text.empty() && text.size() <= 11 &&
         std::ranges::all_of(text, [](unsigned char c) { return std::isalnum(c) != 0 || c == ' '; }) &&
         std::ranges::any_of(text, [](unsigned char c) { return std::isalpha(c) != 0; });
}

bool is_http_url(std::string_view text) {
  const auto scheme = text.starts_with("https://") ? 8U : text.starts_with("http://") ? 7U : 0U;
  return scheme > 0 && text.size() > scheme && text[scheme] != '/' && text.find(' ') == std::string_view::npos;
}

bool is_sid(std::string_view text, std::string_view prefix) {
  return text.size() == prefix.size() + 32 && text.starts_with(prefix) &&
         std::ranges::all_of(text.substr(prefix.size()), [](unsigned char c) { return std::isxdigit(c) != 0; });
}

std::string uuid_of(const std::string& hex) {
  return hex.substr(0, 8) + "-" + hex.substr(8, 4) + "-4" + hex.substr(13, 3) + "-8" + hex.substr(17, 3) + "-" +
         hex.substr(20, 12);
}

std::optional<std::pair<std::string, std::string>> basic_credentials(std::string_view header) {
  constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  if (!header.starts_with("Basic ")) return std::nullopt;
  std::string decoded;
  unsigned bits = 0;
  int count = 0;
  for (const char c : header.substr(6)) {
    const auto value = alphabet.find(c);
    if (value == std::string_view::npos) break;
    bits = bits << 6U | static_cast<unsigned>(value);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    decoded += static_cast<char>(bits >> static_cast<unsigned>(count) & 0xFFU);
  }
  const auto colon = decoded.find(':');
  if (colon == std::string::npos) return std::nullopt;
  return std::pair(decoded.substr(0, colon), decoded.substr(colon + 1));
}

std::optional<std::int64_t> sent_at(const Message& message) {
  const auto at = message.at_ms + 1000;
  return message.order.scheduled || at > now_ms() ? std::nullopt : std::optional(at);
}

}  // namespace sms::simulator
