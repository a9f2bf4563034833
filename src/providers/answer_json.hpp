#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace sms::detail {

/// The JSON object that an answer's body is, or nothing. Strict: valid UTF-8, bounded depth, and no member named twice
/// (what it means would depend on the reader). Never throws for what a provider sends.
std::optional<boost::json::object> parse_answer(std::string_view body);

/// Members of a type, or nothing.
std::optional<std::string_view> string_member(const boost::json::object& object, std::string_view name);
const boost::json::object* object_member(const boost::json::object& object, std::string_view name);

/// The first element of the array member `name`, when it is an object; else null.
const boost::json::object* first_object(const boost::json::object& object, std::string_view name);

}  // namespace sms::detail
