#include <sms/transport.hpp>

#include <algorithm>

namespace sms {
namespace {

char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool same_name(std::string_view a, std::string_view b) noexcept {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace

const std::string* HttpExchange::header(std::string_view name) const noexcept {
  const auto found =
      std::find_if(headers.begin(), headers.end(), [&](const Header& h) { return same_name(h.name, name); });
  return found == headers.end() ? nullptr : &found->value;
}

}  // namespace sms
