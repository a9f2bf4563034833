#pragma once

#include <sms/message.hpp>

#include "arguments.hpp"
#include "console.hpp"

namespace sms::cli {

/// The longest body that is read from standard input; far above what any provider takes.
inline constexpr std::size_t max_body_bytes = 64 * 1024;

/// The message that the options describe. Reads standard input for the body `-`. Throws an `Error` for what cannot even
/// be read; the rules of a message are the client's.
SendInput message_from(const MessageArguments& arguments, Console& console);

}  // namespace sms::cli
