#pragma once

#include <sms/message.hpp>

#include <string>
#include <string_view>

namespace sms::cli {

/// `+E164`, `sender:NAME`, `short:CODE` or `service:ID`. Throws `InvalidSenderError` for another prefix; what follows a
/// known one is checked with the message.
From parse_sender(std::string_view text);

/// The same notation, numbers in full: for asking the person who is about to send.
std::string format_sender(const From& sender);

/// The same notation, numbers masked.
std::string mask_sender(const From& sender);

inline constexpr std::string_view sender_rule = "must be +NUMBER, sender:NAME, short:CODE or service:ID";

}  // namespace sms::cli
