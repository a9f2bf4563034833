#include "core/json_reading.hpp"

#include "core/json_text.hpp"

#include <cmath>

namespace sms::detail {
namespace {

namespace json = boost::json;

int hex_value(char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// The code unit of a `\uXXXX` escape that starts at `at`, or -1.
int escaped_unit(std::string_view text, std::size_t at) noexcept {
  if (at + 6 > text.size() || text[at] != '\\' || text[at + 1] != 'u') return -1;
  int unit = 0;
  for (std::size_t i = at + 2; i < at + 6; ++i) {
    const int digit = hex_value(text[i]);
    if (digit < 0) return -1;
    unit = unit * 16 + digit;
  }
  return unit;
}

bool is_high(int unit) noexcept { return unit >= 0xD800 && unit < 0xDC00; }
bool is_low(int unit) noexcept { return unit >= 0xDC00 && unit < 0xE000; }

// Boost.JSON refuses lone surrogates; `JSON.stringify` writes them as escapes.
std::string without_lone_surrogates(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const int unit = escaped_unit(text, i);
    if (is_high(unit) && is_low(escaped_unit(text, i + 6))) {
      out += text.substr(i, 12);
      i += 12;
    } else if (is_high(unit) || is_low(unit)) {
      out += "\\ufffd";
      i += 6;
    } else {
      const std::size_t length = text[i] == '\\' ? 2 : 1;
      out += text.substr(i, length);
      i += length;
    }
  }
  return out;
}

std::optional<json::value> try_parse(std::string_view text) {
  json::error_code failure;
  json::value value = json::parse(text, failure);
  if (failure) return std::nullopt;
  return value;
}

}  // namespace

std::optional<json::value> parse_json(std::string_view text) {
  auto value = try_parse(text);
  if (value || text.find("\\u") == std::string_view::npos) return value;
  return try_parse(without_lone_surrogates(text));
}

const json::value* field(const json::value* value, std::string_view name) noexcept {
  const json::object* object = value != nullptr ? value->if_object() : nullptr;
  return object != nullptr ? object->if_contains(name) : nullptr;
}

std::optional<std::string_view> as_string(const json::value* value) noexcept {
  const json::string* text = value != nullptr ? value->if_string() : nullptr;
  if (text == nullptr) return std::nullopt;
  return std::string_view(text->data(), text->size());
}

std::optional<std::int64_t> as_integer(const json::value* value) noexcept {
  if (value == nullptr) return std::nullopt;
  if (const auto* integer = value->if_int64()) return *integer;
  const double* number = value->if_double();
  constexpr double limit = 9'007'199'254'740'992.0;  // beyond it a double does not name one integer
  if (number == nullptr || std::trunc(*number) != *number || std::abs(*number) > limit) return std::nullopt;
  return static_cast<std::int64_t>(*number);
}

std::optional<bool> as_boolean(const json::value* value) noexcept {
  const bool* flag = value != nullptr ? value->if_bool() : nullptr;
  if (flag == nullptr) return std::nullopt;
  return *flag;
}

void append_json(std::string& out, const json::value& value) {
  switch (value.kind()) {
    case json::kind::null:
      out += "null";
      return;
    case json::kind::bool_:
      out += value.get_bool() ? "true" : "false";
      return;
    case json::kind::int64:
      return append_json_number(out, value.get_int64());
    case json::kind::uint64:
      out += std::to_string(value.get_uint64());
      return;
    case json::kind::double_:
      return append_json_number(out, value.get_double());
    case json::kind::string:
      return append_json_string(out, std::string_view(value.get_string().data(), value.get_string().size()));
    case json::kind::array: {
      out += '[';
      const char* separator = "";
      for (const json::value& item : value.get_array()) {
        out += separator;
        append_json(out, item);
        separator = ",";
      }
      out += ']';
      return;
    }
    case json::kind::object: {
      out += '{';
      const char* separator = "";
      for (const auto& [name, item] : value.get_object()) {
        out += separator;
        append_json_string(out, name);
        out += ':';
        append_json(out, item);
        separator = ",";
      }
      out += '}';
      return;
    }
  }
}

}  // namespace sms::detail
