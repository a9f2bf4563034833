#include "core/json_text.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace sms::detail {
namespace {

constexpr std::string_view hex_digits = "0123456789abcdef";

void append_escape(std::string& out, unsigned char c) {
  switch (c) {
    case '"':
      out += "\\\"";
      break;
    case '\\':
      out += "\\\\";
      break;
    case '\b':
      out += "\\b";
      break;
    case '\f':
      out += "\\f";
      break;
    case '\n':
      out += "\\n";
      break;
    case '\r':
      out += "\\r";
      break;
    case '\t':
      out += "\\t";
      break;
    default:
      out += "\\u00";
      out += hex_digits[c >> 4];
      out += hex_digits[c & 15];
  }
}

bool needs_escape(unsigned char c) { return c < 0x20 || c == '"' || c == '\\'; }

}  // namespace

void append_json_string(std::string& out, std::string_view value) {
  out += '"';
  std::size_t plain = 0;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const auto c = static_cast<unsigned char>(value[i]);
    if (!needs_escape(c)) continue;
    out += value.substr(plain, i - plain);
    append_escape(out, c);
    plain = i + 1;
  }
  out += value.substr(plain);
  out += '"';
}

// ECMAScript's Number::toString, on the shortest digits that read back as the same double.
void append_json_number(std::string& out, double value) {
  if (!std::isfinite(value)) {
    out += "null";
    return;
  }
  if (value == 0) {
    out += '0';
    return;
  }
  std::array<char, 40> text{};
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), std::abs(value), std::chars_format::scientific);
  const std::string_view scientific(text.data(), static_cast<std::size_t>(end.ptr - text.data()));
  const std::size_t e = scientific.find('e');
  std::string digits(1, scientific[0]);
  if (e > 2) digits += scientific.substr(2, e - 2);
  int exponent = 0;
  const std::size_t exponent_at = e + (scientific[e + 1] == '+' ? 2 : 1);
  std::from_chars(scientific.data() + exponent_at, scientific.data() + scientific.size(), exponent);

  if (value < 0) out += '-';
  const int point = exponent + 1;  // where the decimal point stands, counted in digits
  const int count = static_cast<int>(digits.size());
  if (count <= point && point <= 21) {
    out += digits.append(static_cast<std::size_t>(point - count), '0');
  } else if (0 < point && point <= 21) {
    out += digits.insert(static_cast<std::size_t>(point), 1, '.');
  } else if (-6 < point && point <= 0) {
    out.append("0.").append(static_cast<std::size_t>(-point), '0').append(digits);
  } else {
    if (count > 1) digits.insert(1, 1, '.');
    out += digits;
    out += exponent < 0 ? "e-" : "e+";
    append_json_number(out, static_cast<std::int64_t>(std::abs(exponent)));
  }
}

void append_json_number(std::string& out, std::int64_t value) {
  std::array<char, 24> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value);
  out.append(text.data(), end.ptr);
}

std::string json_string(std::string_view value) {
  std::string out;
  append_json_string(out, value);
  return out;
}

void JsonWriter::separate() {
  if (!first_ && !after_key_) out_ += ',';
  first_ = false;
  after_key_ = false;
}

JsonWriter& JsonWriter::begin_object() {
  separate();
  out_ += '{';
  first_ = true;
  return *this;
}

JsonWriter& JsonWriter::end_object() {
  out_ += '}';
  first_ = false;
  return *this;
}

JsonWriter& JsonWriter::begin_array() {
  separate();
  out_ += '[';
  first_ = true;
  return *this;
}

JsonWriter& JsonWriter::end_array() {
  out_ += ']';
  first_ = false;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  separate();
  append_json_string(out_, name);
  out_ += ':';
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::string(std::string_view value) {
  separate();
  append_json_string(out_, value);
  return *this;
}

JsonWriter& JsonWriter::number(std::int64_t value) {
  separate();
  append_json_number(out_, value);
  return *this;
}

JsonWriter& JsonWriter::number(double value) {
  separate();
  append_json_number(out_, value);
  return *this;
}

JsonWriter& JsonWriter::boolean(bool value) { return raw(value ? "true" : "false"); }

JsonWriter& JsonWriter::null() { return raw("null"); }

JsonWriter& JsonWriter::raw(std::string_view json) {
  separate();
  out_ += json;
  return *this;
}

}  // namespace sms::detail
