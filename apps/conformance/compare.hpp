#pragma once

#include <boost/json.hpp>

namespace sms::conformance {

/// Whether fields that a pattern does not name may be there.
enum class OtherFields { refused, allowed };

/// Whether a value is what a pattern says. A pattern is JSON in which the order of fields does not count, `<any>`
/// stands for any text, and an object of one operator stands for more: `$matches` (regular expression), `$oneOf`
/// (patterns), `$below` and
/// `$above` (number), `$contains` (pattern of one item), `$any`, `$absent` (the field is not there).
bool matches(const boost::json::value& pattern, const boost::json::value& value, OtherFields others);

/// A pattern with the fields of `change` put over it.
boost::json::value patched(boost::json::value pattern, const boost::json::value& change);

}  // namespace sms::conformance
