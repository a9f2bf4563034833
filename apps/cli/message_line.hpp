#pragma once

#include <sms/expected.hpp>
#include <sms/message.hpp>

#include <string>
#include <string_view>

namespace sms::cli {

/// Reads one line of a batch: a JSON object with `to`, `body`, and what is wanted of `idempotencyKey`, `from`,
/// `mediaUrls`, `sendAt`, `validityPeriodSec`, `webhookUrl` and `providerOptions`. `from` is a text as on the command
/// line, or an object with `senderId`, `shortCode` or `messagingService`.
///
/// A field that it does not know is an error: a misspelled `idempotencyKey` would send without protection.
Expected<SendInput> parse_message_line(std::string_view line);

}  // namespace sms::cli
