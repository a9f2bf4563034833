#pragma once

#include <sms/message.hpp>
#include <sms/provider_options.hpp>

#include "core/json_text.hpp"

#include <string>

namespace sms::detail {

/// An option's value as the text of a form field.
std::string wire_text(const OptionValue& value);

/// An option's value as JSON.
void write_wire_value(JsonWriter& json, const OptionValue& value);

/// The sender's text, whatever kind it is.
const std::string& sender_text(const From& from);

}  // namespace sms::detail
