#include "conformance/compare.hpp"

#include "conformance/vector_file.hpp"

#include <algorithm>
#include <array>
#include <regex>
#include <string_view>

namespace sms::conformance {
namespace {

namespace json = boost::json;

/// Recorded values have tags of their own that begin with `$`.
constexpr std::array<std::string_view, 7> operators{"$any",   "$absent", "$matches", "$oneOf",
                                                    "$below", "$above",  "$contains"};

bool is_operator(const json::object& pattern) {
  return pattern.size() == 1 &&
         std::ranges::any_of(operators, [&](std::string_view name) { return pattern.contains(name); });
}

bool is_absent(const json::value& pattern) {
  const auto* object = pattern.if_object();
  return object && object->contains("$absent");
}

bool matches_regex(const json::value& regex, const json::value& value) {
  if (!value.is_string()) return false;
  const auto& text = value.get_string();
  return std::regex_search(text.begin(), text.end(), std::regex(std::string(regex.as_string())));
}

bool apply(std::string_view name, const json::value& operand, const json::value& value, OtherFields others) {
  if (name == "$any") return true;
  if (name == "$absent") return false;
  if (name == "$matches") return matches_regex(operand, value);
  const auto one_matches = [&](const json::value& pattern) { return matches(pattern, value, others); };
  if (name == "$oneOf") return std::ranges::any_of(operand.as_array(), one_matches);
  const auto number = number_in(value);
  if (name == "$below") return number && *number < number_in(operand);
  if (name == "$above") return number && *number > number_in(operand);
  const auto* array = value.if_array();
  return array && std::ranges::any_of(*array, [&](const auto& item) { return matches(operand, item, others); });
}

bool object_matches(const json::object& pattern, const json::object& value, OtherFields others) {
  std::size_t present = 0;
  for (const auto& [field, expected] : pattern) {
    const auto* item = value.if_contains(field);
    if (is_absent(expected)) {
      if (item) return false;
      continue;
    }
    if (!item || !matches(expected, *item, others)) return false;
    ++present;
  }
  return others == OtherFields::allowed || present == value.size();
}

}  // namespace

bool matches(const json::value& pattern, const json::value& value, OtherFields others) {
  const auto number = number_in(pattern);
  if (number && number_in(value)) return *number == *number_in(value);
  if (const auto* object = pattern.if_object()) {
    if (is_operator(*object)) return apply(object->begin()->key(), object->begin()->value(), value, others);
    return value.is_object() && object_matches(*object, value.get_object(), others);
  }
  if (const auto* array = pattern.if_array()) {
    return value.is_array() && std::ranges::equal(*array, value.get_array(), [&](const auto& item, const auto& got) {
             return matches(item, got, others);
           });
  }
  if (pattern.is_string() && pattern.get_string() == "<any>") return value.is_string();
  return pattern == value;
}

json::value patched(json::value pattern, const json::value& change) {
  const auto* changes = change.if_object();
  if (!changes || is_operator(*changes) || !pattern.is_object()) return change;
  auto& object = pattern.get_object();
  for (const auto& [field, value] : *changes) object[field] = patched(object[field], value);
  return pattern;
}

}  // namespace sms::conformance
