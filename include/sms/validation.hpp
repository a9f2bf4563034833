#pragma once

#include <sms/encoding.hpp>
#include <sms/message.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sms {

enum class IssueCode {
  invalid_recipient,
  invalid_sender,
  missing_sender,
  empty_body,
  unsupported_field,
  invalid_field
};
std::string_view to_string(IssueCode) noexcept;

/// One thing that is wrong with a message.
struct ValidationIssue {
  IssueCode code{};
  std::string field;  ///< `to from body mediaUrls sendAt validityPeriodSec webhookUrl idempotencyKey providerOptions`.
  std::string message;                  ///< Names the field and the rule, never the value.
  std::optional<std::string> provider;  ///< The adapter it is about; absent for the message itself.
};

/// What `Client::validate` answers: the segment preview and all issues over all adapters.
struct ValidationResult {
  SegmentEstimate estimate;
  bool supported = false;               ///< No message-level or option issue, and the primary adapter can send it.
  std::vector<ValidationIssue> issues;  ///< Message-level ones first.
  std::vector<std::string> adapter_candidates;    ///< Adapters that can send the message.
  std::vector<std::string> provider_options_for;  ///< Candidates whose entry in `provider_options` has fields.

  /// One JSON object, camelCase.
  std::string to_json() const;
};

}  // namespace sms
