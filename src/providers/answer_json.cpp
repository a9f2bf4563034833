#include "providers/answer_json.hpp"

#include <boost/json/parse.hpp>

#include <cstddef>

namespace sms::detail {
namespace {

namespace json = boost::json;

constexpr std::size_t max_depth = 32;

/// How many members a valid JSON text writes: its colons outside of strings.
std::size_t written_members(std::string_view text) noexcept {
  std::size_t count = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') {
      in_string = !in_string;
    } else if (in_string && text[i] == '\\') {
      ++i;
    } else if (!in_string && text[i] == ':') {
      ++count;
    }
  }
  return count;
}

/// How many members are left once those of one name have become one. `value` is at most `max_depth` deep.
std::size_t distinct_members(const json::value& value) {
  std::size_t count = 0;
  if (const auto* const object = value.if_object()) {
    count = object->size();
    for (const auto& member : *object) count += distinct_members(member.value());
  } else if (const auto* const array = value.if_array()) {
    for (const auto& element : *array) count += distinct_members(element);
  }
  return count;
}

}  // namespace

std::optional<json::object> parse_answer(std::string_view body) {
  json::parse_options options;
  options.max_depth = max_depth;
  json::error_code error;
  json::value value = json::parse(body, error, {}, options);
  if (error || !value.is_object() || distinct_members(value) != written_members(body)) return std::nullopt;
  return std::move(value.get_object());
}

std::optional<std::string_view> string_member(const json::object& object, std::string_view name) {
  const json::value* const value = object.if_contains(name);
  if (value == nullptr || !value->is_string()) return std::nullopt;
  return std::string_view(value->get_string());
}

const json::object* object_member(const json::object& object, std::string_view name) {
  const json::value* const value = object.if_contains(name);
  return value == nullptr ? nullptr : value->if_object();
}

const json::object* first_object(const json::object& object, std::string_view name) {
  const json::value* const value = object.if_contains(name);
  const json::array* const array = value == nullptr ? nullptr : value->if_array();
  return array == nullptr || array->empty() ? nullptr : array->front().if_object();
}

}  // namespace sms::detail
