#pragma once

#include <boost/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sms::detail {

/// Parses JSON text; absent when it is none. A lone surrogate escape, which other implementations write, reads as
/// U+FFFD.
std::optional<boost::json::value> parse_json(std::string_view text);

/// The field of an object; null when `value` is null, is no object or has no such field.
const boost::json::value* field(const boost::json::value* value, std::string_view name) noexcept;

/// What a value holds when it is of that type. An integer may be written as a double (`1e3`).
std::optional<std::string_view> as_string(const boost::json::value* value) noexcept;
std::optional<std::int64_t> as_integer(const boost::json::value* value) noexcept;
std::optional<bool> as_boolean(const boost::json::value* value) noexcept;

/// The value as `JSON.stringify` writes it.
void append_json(std::string& out, const boost::json::value& value);

}  // namespace sms::detail
