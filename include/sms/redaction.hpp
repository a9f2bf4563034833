#pragma once

#include <string>
#include <string_view>

namespace sms {

/// Makes a text safe to log: digit runs that look like phone numbers are masked, control characters become spaces, and
/// at most 200 UTF-16 code units stay (with `…` as the last). Never cuts inside a character.
std::string redact_text(std::string_view text);

/// The same for what a provider says: digit runs of four or more that also stand in the message's body or recipient are
/// masked too, since providers echo one-time codes.
std::string redact_provider_text(std::string_view text, std::string_view body, std::string_view to);

}  // namespace sms
