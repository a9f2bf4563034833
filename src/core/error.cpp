#include <sms/error.hpp>
#include <sms/redaction.hpp>

#include <utility>

namespace sms {
namespace {

std::string rejection_message(const Rejected& rejection) {
  std::string text = "Rejected by ";
  text.append(rejection.details.provider).append(" (").append(to_string(rejection.category));
  if (rejection.details.http_status) text += ", HTTP " + std::to_string(*rejection.details.http_status);
  if (rejection.details.code) text += ", code " + *rejection.details.code;
  text += ")";
  if (rejection.details.message) text += ": " + *rejection.details.message;
  return text;
}

std::string all_rejected_message(const AllProvidersRejectedError::Errors& errors) {
  std::string text = "Every attempted provider rejected the message";
  const char* separator = ": ";
  for (const auto& error : errors) {
    text += separator;
    if (error->provider()) text.append(error->provider()->provider).append(" ");
    text += to_string(error->category());
    separator = ", ";
  }
  return text;
}

std::string_view explain(UnknownReason reason) {
  switch (reason) {
    case UnknownReason::network:
      return "the connection was lost after the request had left";
    case UnknownReason::timeout:
      return "no answer came in time";
    case UnknownReason::aborted:
      return "the send was cancelled while a request was under way";
    case UnknownReason::malformed_response:
      return "the provider's answer lacks what proves creation";
    case UnknownReason::server_error:
      return "the provider answered with a server error";
    case UnknownReason::unexpected_status:
      return "the provider answered with an unexpected status";
    case UnknownReason::adapter_exception:
      return "the adapter failed";
    case UnknownReason::replayed_unknown:
      return "an earlier send of this key ended so";
    case UnknownReason::stale_reservation:
      return "whoever was sending this key left no outcome";
  }
  return "no reason";
}

std::string unknown_message(UnknownReason reason) {
  std::string text = "It is not known whether the message was created: ";
  return text.append(explain(reason)).append(". Settle it before sending under a new key.");
}

std::string conflict_message(RecordState stored) {
  std::string text = "The idempotency key was used for another message, whose record is ";
  text.append(to_string(stored)).append(".");
  if (stored == RecordState::unknown || stored == RecordState::reserved)
    text += " A new key may send a second message.";
  return text;
}

std::string store_message(const std::string& operation, const std::string& reason) {
  std::string text = "The idempotency store failed at " + operation + ": " + reason;
  if (operation == "reserve") text += "; nothing was sent";
  return text;
}

std::string_view explain(SignatureFault fault) {
  switch (fault) {
    case SignatureFault::missing_signature:
      return "it has no signature";
    case SignatureFault::invalid_signature:
      return "its signature does not match";
    case SignatureFault::stale_timestamp:
      return "its time is too far from now";
    case SignatureFault::body_hash_mismatch:
      return "its body does not match the signed hash";
    case SignatureFault::malformed_signature:
      return "its signature cannot be read";
    case SignatureFault::invalid_credentials:
      return "the credentials to check it with cannot be used";
  }
  return "no reason";
}

ProviderDetails only_name(std::string provider) {
  ProviderDetails details;
  details.provider = std::move(provider);
  return details;
}

}  // namespace

Error::Error(ErrorCode code, bool retry_safe, std::string message)
    : code_(code), retry_safe_(retry_safe), message_(redact_text(message)) {}

SerializedError Error::serialize() const {
  SerializedError plain;
  plain.name = name();
  plain.code = to_string(code_);
  plain.message = message_;
  plain.retry_safe = retry_safe_;
  plain.attempts = attempts_;
  plain.provider = provider_;
  return plain;
}

ConfigurationError::ConfigurationError(std::string message)
    : ErrorBase(ErrorCode::configuration, true, std::move(message)) {}

InvalidRecipientError::InvalidRecipientError(std::string message)
    : ErrorBase(ErrorCode::invalid_recipient, true, std::move(message)) {}

InvalidSenderError::InvalidSenderError(std::string message, std::optional<std::string> adapter)
    : ErrorBase(ErrorCode::invalid_sender, true, std::move(message)), adapter_(std::move(adapter)) {}

InvalidMessageError::InvalidMessageError(std::string message, std::string field, std::optional<std::string> adapter)
    : ErrorBase(ErrorCode::invalid_message, true, std::move(message)),
      field_(std::move(field)),
      adapter_(std::move(adapter)) {}

UnsupportedFieldError::UnsupportedFieldError(std::string message, std::string field, std::string adapter)
    : ErrorBase(ErrorCode::unsupported_field, true, std::move(message)),
      field_(std::move(field)),
      adapter_(std::move(adapter)) {}

PolicyRejectedError::PolicyRejectedError(std::string reason, std::exception_ptr cause)
    : ErrorBase(ErrorCode::policy_rejected, true,
                cause ? "The policy failed; nothing was sent." : "The policy rejected the message; nothing was sent."),
      reason_(std::move(reason)) {
  cause_ = std::move(cause);
}

ProviderRejectedError::ProviderRejectedError(const Rejected& rejection)
    : ProviderRejectedError(ErrorCode::provider_rejected, rejection) {}

ProviderRejectedError::ProviderRejectedError(ErrorCode code, const Rejected& rejection)
    : ErrorBase(code, true, rejection_message(rejection)),
      category_(rejection.category),
      fallback_eligible_(sms::fallback_eligible(rejection.category, rejection.proof)),
      retry_after_(rejection.retry_after) {
  provider_ = rejection.details;
}

ProviderAuthError::ProviderAuthError(const Rejected& rejection) : ErrorBase(ErrorCode::provider_auth, rejection) {}

ProviderRateLimitedError::ProviderRateLimitedError(const Rejected& rejection)
    : ErrorBase(ErrorCode::provider_rate_limited, rejection) {}

ProviderUnreachableError::ProviderUnreachableError(const Rejected& rejection)
    : ErrorBase(ErrorCode::provider_unreachable, rejection) {}

std::shared_ptr<const ProviderRejectedError> make_rejected_error(const Rejected& rejection) {
  switch (rejection.category) {
    case RejectionCategory::auth:
      return std::make_shared<const ProviderAuthError>(rejection);
    case RejectionCategory::rate_limited:
      return std::make_shared<const ProviderRateLimitedError>(rejection);
    case RejectionCategory::unreachable:
      return std::make_shared<const ProviderUnreachableError>(rejection);
    case RejectionCategory::sender:
    case RejectionCategory::account:
    case RejectionCategory::recipient:
    case RejectionCategory::compliance:
    case RejectionCategory::request:
      break;
  }
  return std::make_shared<const ProviderRejectedError>(rejection);
}

AllProvidersRejectedError::AllProvidersRejectedError(Errors errors)
    : ErrorBase(ErrorCode::all_providers_rejected, true, all_rejected_message(errors)), errors_(std::move(errors)) {
  for (const auto& error : errors_)
    attempts_.insert(attempts_.end(), error->attempts().begin(), error->attempts().end());
}

HandoffUnknownError::HandoffUnknownError(UnknownReason reason, std::optional<ProviderDetails> details,
                                         std::exception_ptr cause)
    : ErrorBase(ErrorCode::handoff_unknown, false, unknown_message(reason)), reason_(reason) {
  provider_ = std::move(details);
  cause_ = std::move(cause);
}

SendAbortedError::SendAbortedError(std::string message) : ErrorBase(ErrorCode::aborted, true, std::move(message)) {}

IdempotencyConflictError::IdempotencyConflictError(std::string key, RecordState stored_state)
    : ErrorBase(ErrorCode::idempotency_conflict, false, conflict_message(stored_state)),
      key_(std::move(key)),
      stored_state_(stored_state) {}

IdempotencyInProgressError::IdempotencyInProgressError(std::string key, WallTime since)
    : ErrorBase(ErrorCode::idempotency_in_progress, true,
                "Another sender is sending this idempotency key. Send again later with the same key."),
      key_(std::move(key)),
      since_(since) {}

StoreUnavailableError::StoreUnavailableError(std::string operation, std::string reason, std::exception_ptr cause)
    : ErrorBase(ErrorCode::store_unavailable, true, store_message(operation, reason)),
      operation_(std::move(operation)) {
  cause_ = std::move(cause);
}

WebhookSignatureError::WebhookSignatureError(SignatureFault reason, std::string provider)
    : ErrorBase(ErrorCode::webhook_signature, false,
                "The webhook is not authentic: " + std::string(explain(reason)) + "."),
      reason_(reason) {
  provider_ = only_name(std::move(provider));
}

WebhookPayloadError::WebhookPayloadError(std::string message, std::string provider)
    : ErrorBase(ErrorCode::webhook_payload, false, std::move(message)) {
  provider_ = only_name(std::move(provider));
}

}  // namespace sms
