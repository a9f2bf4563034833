#include "stores/postgres/safe_json.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <optional>

namespace sms::detail {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";
constexpr std::size_t escape_length = 6;

/// The code unit of a `\uXXXX` at the front.
std::optional<unsigned> escaped_unit(std::string_view text) {
  if (text.size() < escape_length || !text.starts_with("\\u")) return std::nullopt;
  unsigned unit = 0;
  for (const char c : text.substr(2, 4)) {
    const auto digit = std::string_view("0123456789abcdef").find(c >= 'A' && c <= 'F' ? static_cast<char>(c + 32) : c);
    if (digit == std::string_view::npos) return std::nullopt;
    unit = unit * 16 + static_cast<unsigned>(digit);
  }
  return unit;
}

bool is_high(unsigned unit) { return unit >= 0xD800 && unit < 0xDC00; }
bool is_low(unsigned unit) { return unit >= 0xDC00 && unit < 0xE000; }

/// How much of the text is one escape that can be kept; 0: it is one that cannot.
std::size_t kept_escape(std::string_view text) {
  const auto unit = escaped_unit(text);
  if (!unit) return std::min<std::size_t>(2, text.size());
  if (is_high(*unit)) {
    const auto next = escaped_unit(text.substr(escape_length));
    return next && is_low(*next) ? 2 * escape_length : 0;
  }
  return *unit == 0 || is_low(*unit) ? 0 : escape_length;
}

}  // namespace

std::string safe_text(std::string_view text) {
  std::string safe;
  while (!text.empty()) {
    const auto decoded = decode_utf8(text);
    safe += decoded.valid && decoded.code_point != 0 ? text.substr(0, decoded.length) : replacement;
    text.remove_prefix(decoded.length);
  }
  return safe;
}

std::string safe_json(std::string_view json) {
  std::string safe;
  safe.reserve(json.size());
  while (!json.empty()) {
    if (json.front() == '\\') {
      const auto kept = kept_escape(json);
      safe += kept > 0 ? json.substr(0, kept) : replacement;
      json.remove_prefix(kept > 0 ? kept : escape_length);
      continue;
    }
    const auto plain = json.substr(0, json.find('\\'));
    safe += safe_text(plain);
    json.remove_prefix(plain.size());
  }
  return safe;
}

}  // namespace sms::detail
