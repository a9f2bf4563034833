#include <sms/phone_number.hpp>
#include <sms/redaction.hpp>

#include "core/text.hpp"

#include <functional>

namespace sms {
namespace {

using detail::decode_utf8;

constexpr std::size_t longest = 200;
constexpr std::size_t shortest_filling = 5;  ///< Characters between the first and the last digit of a phone number.
constexpr std::size_t shortest_echo = 4;

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool joins_digits(char32_t c) {
  return (c >= U'0' && c <= U'9') || c == U'.' || c == U'(' || c == U')' || c == U'-' || detail::is_ecma_space(c);
}

/// Bytes from a digit to the last digit that only joining characters separate from it; 0 when it is too short for a
/// phone number.
std::size_t phone_number_length(std::string_view text) {
  std::size_t end = 1, characters = 1, until_last = 1;
  for (std::size_t i = 1; i < text.size();) {
    const auto next = decode_utf8(text.substr(i));
    if (!joins_digits(next.code_point)) break;
    ++characters;
    i += next.length;
    if (is_digit(text[i - 1])) end = i, until_last = characters;
  }
  return until_last >= shortest_filling + 2 ? end : 0;
}

std::string digits_of(std::string_view text) {
  std::string digits;
  for (char c : text) {
    if (is_digit(c)) digits += c;
  }
  return digits;
}

using Mask = std::function<std::string(std::string_view digits, bool phone_number)>;

/// Hands each phone number (reduced to its digits and a leading `+`) and each other run of digits to `mask`.
std::string mask_digits(std::string_view text, const Mask& mask) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const bool plus = text[0] == '+' && text.size() > 1;
    const std::string_view from_digit = text.substr(plus ? 1 : 0);
    if (!is_digit(from_digit[0])) {
      const auto next = decode_utf8(text);
      out.append(next.valid ? text.substr(0, next.length) : std::string_view("\xEF\xBF\xBD"));
      text.remove_prefix(next.length);
      continue;
    }
    if (const std::size_t length = phone_number_length(from_digit)) {
      out += mask((plus ? "+" : "") + digits_of(from_digit.substr(0, length)), true);
      text = from_digit.substr(length);
    } else {
      std::size_t run = 1;
      while (run < from_digit.size() && is_digit(from_digit[run])) ++run;
      if (plus) out += '+';
      out += mask(from_digit.substr(0, run), false);
      text = from_digit.substr(run);
    }
  }
  return out;
}

std::string without_control_characters(std::string_view text) {
  std::string out;
  bool in_run = false;
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool control = byte < 0x20 || byte == 0x7F;
    if (!control) {
      out += c;
    } else if (!in_run) {
      out += ' ';
    }
    in_run = control;
  }
  return out;
}

std::string cut(std::string_view text) {
  if (detail::utf16_length(text) <= longest) return std::string(text);
  std::size_t bytes = 0;
  for (std::size_t units = 0;;) {
    const auto next = decode_utf8(text.substr(bytes));
    units += next.code_point > 0xFFFF ? 2 : 1;
    if (units > longest - 1) break;
    bytes += next.length;
  }
  return std::string(text.substr(0, bytes)) + "…";
}

std::string redact(std::string_view text, const Mask& mask) {
  const std::string line = without_control_characters(mask_digits(text, mask));
  return cut(detail::trim_ecma(line));
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

}  // namespace

std::string redact_text(std::string_view text) {
  return redact(text, [](std::string_view digits, bool phone_number) {
    return phone_number ? mask_phone_number(digits) : std::string(digits);
  });
}

std::string redact_provider_text(std::string_view text, std::string_view body, std::string_view to) {
  return redact(text, [&](std::string_view found, bool phone_number) {
    const std::string_view digits = found.substr(found.front() == '+' ? 1 : 0);
    const bool long_enough = digits.size() >= shortest_echo;
    // A long one-time code looks like a phone number, whose mask would leave three of its digits.
    if (long_enough && contains(body, digits)) return std::string(found.size(), '*');
    if (phone_number) return mask_phone_number(found);
    return std::string(long_enough && contains(to, digits) ? std::string(digits.size(), '*') : found);
  });
}

}  // namespace sms
