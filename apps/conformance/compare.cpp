#include "conformance/compare.hpp"

#include "conformance/vector_file.hpp"

#include <algorithm>
#include <regex>

namespace sms::conformance {
namespace {

namespace json = boost::json;

const json::value* operand(const json::value& pattern, std::string_view name) {
  const auto* object = pattern.if_object();
  return object && object->size() == 1 ? object->if_contains(name) : nullptr;
}

bool matches_regex(const json::value& regex, const json::value& value) {
  if (!value.is_string()) return false;
  const auto& text = value.get_string();
  return std::regex_search(text.begin(), text.end(), std::regex(std::string(regex.as_string())));
}

}  // namespace

bool same(const json::value& expected, const json::value& got) {
  if (expected.is_string() && expected.get_string() == "<any>") return got.is_string();
  const auto number = number_in(expected);
  if (number && number_in(got)) return *number == *number_in(got);
  if (expected.kind() != got.kind()) return false;
  if (const auto* array = expected.if_array()) {
    return std::ranges::equal(*array, got.get_array(), same);
  }
  if (const auto* object = expected.if_object()) {
    const auto& other = got.get_object();
    return object->size() == other.size() && std::ranges::all_of(*object, [&](const auto& field) {
             const auto* value = other.if_contains(field.key());
             return value && same(field.value(), *value);
           });
  }
  return expected == got;
}

bool matches(const json::value& pattern, const json::value& value) {
  if (const auto* regex = operand(pattern, "$matches")) return matches_regex(*regex, value);
  if (const auto* limit = operand(pattern, "$below")) {
    const auto number = number_in(value);
    return number && *number < number_in(*limit);
  }
  if (const auto* item = operand(pattern, "$contains")) {
    const auto* array = value.if_array();
    return array && std::ranges::any_of(*array, [&](const auto& entry) { return matches(*item, entry); });
  }
  if (const auto* choices = operand(pattern, "$oneOf")) {
    return std::ranges::any_of(choices->as_array(), [&](const auto& choice) { return matches(choice, value); });
  }
  if (const auto* object = pattern.if_object()) {
    const auto* other = value.if_object();
    return other && std::ranges::all_of(*object, [&](const auto& field) {
             const auto* item = other->if_contains(field.key());
             return item && matches(field.value(), *item);
           });
  }
  if (const auto* array = pattern.if_array()) {
    const auto* other = value.if_array();
    return other && std::ranges::equal(*array, *other, matches);
  }
  return same(pattern, value);
}

}  // namespace sms::conformance
