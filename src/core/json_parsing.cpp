#include "core/json_reading.hpp"

#include <boost/json/basic_parser_impl.hpp>

#include <charconv>

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

// What Boost.JSON's own parser does, but for numbers: that one rounds some of them wrongly.
class ValueHandler {
 public:
  static constexpr std::size_t max_object_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_array_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_key_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_string_size = static_cast<std::size_t>(-1);

  ValueHandler() { values_.reset(); }
  json::value release() { return values_.release(); }

  bool on_document_begin(json::error_code&) { return true; }
  bool on_document_end(json::error_code&) { return true; }
  bool on_object_begin(json::error_code&) { return true; }
  bool on_object_end(std::size_t count, json::error_code&) { return values_.push_object(count), true; }
  bool on_array_begin(json::error_code&) { return true; }
  bool on_array_end(std::size_t count, json::error_code&) { return values_.push_array(count), true; }
  bool on_key_part(json::string_view part, std::size_t, json::error_code&) { return values_.push_chars(part), true; }
  bool on_key(json::string_view part, std::size_t, json::error_code&) { return values_.push_key(part), true; }
  bool on_string_part(json::string_view part, std::size_t, json::error_code&) { return values_.push_chars(part), true; }
  bool on_string(json::string_view part, std::size_t, json::error_code&) { return values_.push_string(part), true; }
  bool on_number_part(json::string_view, json::error_code&) { return true; }
  bool on_int64(std::int64_t number, json::string_view, json::error_code&) { return values_.push_int64(number), true; }
  bool on_uint64(std::uint64_t number, json::string_view, json::error_code&) {
    return values_.push_uint64(number), true;
  }
  bool on_double(double number, json::string_view text, json::error_code&) {
    std::from_chars(text.data(), text.data() + text.size(), number);
    return values_.push_double(number), true;
  }
  bool on_bool(bool flag, json::error_code&) { return values_.push_bool(flag), true; }
  bool on_null(json::error_code&) { return values_.push_null(), true; }
  bool on_comment_part(json::string_view, json::error_code&) { return true; }
  bool on_comment(json::string_view, json::error_code&) { return true; }

 private:
  json::value_stack values_;
};

std::optional<json::value> try_parse(std::string_view text) {
  json::basic_parser<ValueHandler> parser{json::parse_options()};
  json::error_code failure;
  const std::size_t read = parser.write_some(false, text.data(), text.size(), failure);
  if (failure || read != text.size()) return std::nullopt;
  return parser.handler().release();
}

}  // namespace

std::optional<json::value> parse_json(std::string_view text) {
  auto value = try_parse(text);
  if (value || text.find("\\u") == std::string_view::npos) return value;
  return try_parse(without_lone_surrogates(text));
}

}  // namespace sms::detail
