#include "stores/redis/names.hpp"

#include <array>
#include <charconv>

namespace sms::detail {
namespace {

constexpr unsigned slots = 16384;

bool must_be_escaped(char c) noexcept {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7F || c == '{' || c == '}' || c == '%';
}

// CRC-16/XMODEM, as the cluster specification has it (redis.io/docs/reference/cluster-spec, Appendix A).
constexpr auto crc_table = [] {
  std::array<std::uint16_t, 256> table{};
  for (unsigned i = 0; i < table.size(); ++i) {
    unsigned crc = i << 8U;
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 0x8000U) != 0 ? (crc << 1U) ^ 0x1021U : crc << 1U;
    table[i] = static_cast<std::uint16_t>(crc);
  }
  return table;
}();

}  // namespace

std::string RedisNames::tag(std::string_view key) {
  // A hash tag must not be empty; no other key is written like this.
  if (key.empty()) return "%";
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string out;
  out.reserve(key.size());
  for (const char c : key) {
    if (!must_be_escaped(c)) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += digits[byte >> 4U];
    out += digits[byte & 15U];
  }
  return out;
}

std::string RedisNames::pattern(std::string_view kind) const {
  std::string out;
  for (const char c : prefix_) {
    if (std::string_view("*?[]\\^-").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out + std::string(kind) + "*}";
}

std::optional<std::string> RedisNames::key_of(std::string_view name) const {
  if (!name.starts_with(prefix_) || !name.ends_with('}')) return std::nullopt;
  const std::size_t open = name.find('{');
  if (open == std::string_view::npos) return std::nullopt;
  const auto text = name.substr(open + 1, name.size() - open - 2);
  if (text == "%") return std::string();
  std::string key;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      key += text[i];
      continue;
    }
    unsigned char byte = 0;
    const char* const hex = text.data() + i + 1;
    if (i + 2 >= text.size() || std::from_chars(hex, hex + 2, byte, 16).ptr != hex + 2) return std::nullopt;
    key += static_cast<char>(byte);
    i += 2;
  }
  // A name that somebody else wrote differently would be found under another one again.
  return tag(key) == text ? std::optional(key) : std::nullopt;
}

std::uint16_t redis_slot(std::string_view name) noexcept {
  if (const std::size_t open = name.find('{'); open != std::string_view::npos) {
    const std::size_t close = name.find('}', open + 1);
    if (close != std::string_view::npos && close > open + 1) name = name.substr(open + 1, close - open - 1);
  }
  unsigned crc = 0;
  for (const char c : name) {
    crc = ((crc << 8U) & 0xFFFFU) ^ crc_table[((crc >> 8U) ^ static_cast<unsigned char>(c)) & 0xFFU];
  }
  return static_cast<std::uint16_t>(crc % slots);
}

}  // namespace sms::detail
