#include "simulator/provider_api.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace sms::simulator {

std::vector<std::unique_ptr<ProviderApi>> all_providers() {
  std::vector<std::unique_ptr<ProviderApi>> providers;
  providers.push_back(twilio_api());
  providers.push_back(telnyx_api());
  return providers;
}

bool is_number(std::string_view text) {
  if (text.size() < 3 || text.size() > 16 || text[0] != '+' || text[1] == '0') return false;
  return std::ranges::all_of(text.substr(1), [](unsigned char c) { return std::isdigit(c) != 0; });
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

}  // namespace sms::simulator
