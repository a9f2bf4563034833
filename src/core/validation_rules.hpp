#pragma once

#include <sms/adapter.hpp>
#include <sms/error.hpp>
#include <sms/message.hpp>
#include <sms/validation.hpp>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sms::detail {

using Adapters = std::span<const std::shared_ptr<Adapter>>;

/// Issues of the message itself, in the order of the checks.
std::vector<ValidationIssue> message_issues(const SendInput& input, WallTime now);

/// One adapter's entry of the provider options as it goes out, and what is wrong with it.
struct ParsedOptions {
  WireOptions wire;
  std::vector<ValidationIssue> issues;
};
ParsedOptions parse_options(const AdapterInfo& info, const ProviderOptions& options);

/// The message as this adapter gets it: its sender, its options. `options` must have been parsed without issues.
AdapterMessage message_for(const AdapterInfo& info, const SendInput& input, WireOptions options, std::string id);

/// Whether this adapter can send it: sender, capabilities, then the adapter's own rules.
std::vector<ValidationIssue> adapter_issues(const Adapter& adapter, const AdapterMessage& message);

/// All local checks over all adapters. `issues` holds every one; `first_error` is what a send throws.
ValidationResult validate(const SendInput& input, Adapters adapters, WallTime now);

/// The error that a send throws for its first issue in the order of checks (message, options of all adapters, primary
/// adapter); null when there is none.
std::shared_ptr<const Error> first_error(const SendInput& input, Adapters adapters, WallTime now);

std::shared_ptr<const Error> error_of(const ValidationIssue& issue);

}  // namespace sms::detail
