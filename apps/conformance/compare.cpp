#include "conformance/compare.hpp"

#include <algorithm>
#include <regex>

namespace sms::conformance {
namespace {

namespace json = boost::json;

double as_double(const json::value& number) { return number.to_number<double>(); }

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
  if (expected.is_number() && got.is_number()) {
    if (expected.is_int64() && got.is_int64()) return expected.get_int64() == got.get_int64();
    return as_double(expected) == as_double(got);
  }
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
  if (const auto* limit = operand(pattern, "$below")) return value.is_number() && as_double(value) < as_double(*limit);
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
