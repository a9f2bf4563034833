#include "core/json_reading.hpp"

#include "core/json_text.hpp"

#include <cmath>

namespace sms::detail {

namespace json = boost::json;

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
