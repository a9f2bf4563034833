#pragma once

#include <sms/error.hpp>

#include <boost/json.hpp>

#include <optional>
#include <string>

namespace sms::conformance {

/// What the vector files record of an error beside its JSON; each absent where the recorded class has no such field.
struct ErrorFacts {
  std::optional<std::string> field;
  std::optional<std::string> provider_name;
  std::optional<std::string> reason;
  std::optional<std::string> category;
  std::optional<std::int64_t> retry_after_ms;
  std::optional<bool> fallback_eligible;
  boost::json::value errors;
};
ErrorFacts facts_of(const Error& error);

/// The error's own JSON.
boost::json::object to_json_object(const Error& error);

/// An optional as a JSON value, null where there is none.
template <class T>
boost::json::value or_null(const std::optional<T>& value) {
  return value ? boost::json::value(*value) : boost::json::value(nullptr);
}

}  // namespace sms::conformance
