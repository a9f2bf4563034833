#pragma once

#include <sms/clock.hpp>
#include <sms/error.hpp>
#include <sms/message.hpp>
#include <sms/transport.hpp>

#include <boost/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sms::conformance {

/// Fields of recorded inputs as typed values. Each throws `Skip` for a value that our types cannot express; an absent
/// field and an `undefined` one are the same.

const boost::json::value* find(const boost::json::object& object, std::string_view field);
std::string text_of(const boost::json::value& value, std::string_view field);
std::int64_t integer_of(const boost::json::value& value, std::string_view field);
double number_of(const boost::json::value& value, std::string_view field);
std::optional<std::string> optional_text(const boost::json::object& object, std::string_view field);
std::optional<From> optional_from(const boost::json::object& object);
WallTime time_of(const boost::json::value& value, std::string_view field);

/// The case's own `now`, else a moment of the day on which the answers were recorded.
WallTime now_of(const boost::json::object& input);

/// The message of a case, with `providerOptionsOrdered` where it is given.
SendInput message_of(const boost::json::object& input);

std::vector<Header> headers_of(const boost::json::object& reply);

}  // namespace sms::conformance
