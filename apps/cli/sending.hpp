#pragma once

#include <sms/client.hpp>

#include "arguments.hpp"
#include "config.hpp"
#include "console.hpp"

#include <chrono>
#include <string_view>

namespace sms::cli {

/// What the options of `send` mean for each of its messages.
struct SendPlan {
  SendOptions options;
  std::chrono::milliseconds linger{0};
};

/// Throws `UsageError` for what cannot be read.
SendPlan plan_of(const SendArguments& arguments);

/// Throws `UsageError` when the text of that option is no duration.
std::chrono::milliseconds duration_option(std::string_view name, std::string_view text);

/// Makes the client of a command that sends. `hooks` are its observers.
Client make_client(const Config& config, std::shared_ptr<IdempotencyStore> store, const SendPlan& plan, Hooks hooks);

/// Why a message with a key must not go out without a store; null when there is one. A key without one would protect
/// nothing.
std::shared_ptr<const Error> missing_store(const Config& config);

/// Says so when a store forgets its keys at the end of this program.
void warn_of_forgetting(Console& console, const IdempotencyStore& store);

/// Says which outcomes could not be stored, and what to do about them.
void report_owed(Console& console, const CloseReport& report);

}  // namespace sms::cli
