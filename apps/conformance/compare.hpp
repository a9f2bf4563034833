#pragma once

#include <boost/json.hpp>

namespace sms::conformance {

/// Whether an answer is the expected one: `<any>` stands for any text, the order of fields does not count, and neither
/// does how a number was written.
bool same(const boost::json::value& expected, const boost::json::value& got);

/// Whether a value has what a pattern names: its fields (and perhaps others), its items, its words. `{"$matches":
/// "regex"}` stands for texts, `{"$oneOf": [...]}` for several patterns, `{"$below": n}` for numbers.
bool matches(const boost::json::value& pattern, const boost::json::value& value);

}  // namespace sms::conformance
