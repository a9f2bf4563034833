#include <sms/encoding.hpp>
#include <sms/error.hpp>
#include <sms/outcome.hpp>
#include <sms/validation.hpp>

namespace sms {

// The empty word after each switch marks the end of an enumeration for detail::from_word.

std::string_view to_string(Delivery delivery) noexcept {
  switch (delivery) {
    case Delivery::unknown:
      return "unknown";
    case Delivery::queued:
      return "queued";
    case Delivery::sent:
      return "sent";
    case Delivery::delivered:
      return "delivered";
    case Delivery::undelivered:
      return "undelivered";
    case Delivery::filtered:
      return "filtered";
  }
  return {};
}

std::string_view to_string(RejectionCategory category) noexcept {
  switch (category) {
    case RejectionCategory::auth:
      return "auth";
    case RejectionCategory::rate_limited:
      return "rate_limited";
    case RejectionCategory::sender:
      return "sender";
    case RejectionCategory::account:
      return "account";
    case RejectionCategory::unreachable:
      return "unreachable";
    case RejectionCategory::recipient:
      return "recipient";
    case RejectionCategory::compliance:
      return "compliance";
    case RejectionCategory::request:
      return "request";
  }
  return {};
}

std::string_view to_string(UnknownReason reason) noexcept {
  switch (reason) {
    case UnknownReason::network:
      return "network";
    case UnknownReason::timeout:
      return "timeout";
    case UnknownReason::aborted:
      return "aborted";
    case UnknownReason::malformed_response:
      return "malformed_response";
    case UnknownReason::server_error:
      return "server_error";
    case UnknownReason::unexpected_status:
      return "unexpected_status";
    case UnknownReason::adapter_exception:
      return "adapter_exception";
    case UnknownReason::replayed_unknown:
      return "replayed_unknown";
    case UnknownReason::stale_reservation:
      return "stale_reservation";
  }
  return {};
}

std::string_view to_string(Encoding encoding) noexcept {
  switch (encoding) {
    case Encoding::gsm7:
      return "gsm7";
    case Encoding::ucs2:
      return "ucs2";
  }
  return {};
}

std::string_view to_string(RecordState state) noexcept {
  switch (state) {
    case RecordState::reserved:
      return "reserved";
    case RecordState::accepted:
      return "accepted";
    case RecordState::rejected:
      return "rejected";
    case RecordState::unknown:
      return "unknown";
  }
  return {};
}

std::string_view to_string(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::configuration:
      return "configuration";
    case ErrorCode::invalid_recipient:
      return "invalid_recipient";
    case ErrorCode::invalid_sender:
      return "invalid_sender";
    case ErrorCode::invalid_message:
      return "invalid_message";
    case ErrorCode::unsupported_field:
      return "unsupported_field";
    case ErrorCode::policy_rejected:
      return "policy_rejected";
    case ErrorCode::provider_rejected:
      return "provider_rejected";
    case ErrorCode::provider_auth:
      return "provider_auth";
    case ErrorCode::provider_rate_limited:
      return "provider_rate_limited";
    case ErrorCode::provider_unreachable:
      return "provider_unreachable";
    case ErrorCode::all_providers_rejected:
      return "all_providers_rejected";
    case ErrorCode::handoff_unknown:
      return "handoff_unknown";
    case ErrorCode::aborted:
      return "aborted";
    case ErrorCode::idempotency_conflict:
      return "idempotency_conflict";
    case ErrorCode::idempotency_in_progress:
      return "idempotency_in_progress";
    case ErrorCode::store_unavailable:
      return "store_unavailable";
    case ErrorCode::webhook_signature:
      return "webhook_signature";
    case ErrorCode::webhook_payload:
      return "webhook_payload";
  }
  return {};
}

std::string_view to_string(SignatureFault fault) noexcept {
  switch (fault) {
    case SignatureFault::missing_signature:
      return "missing_signature";
    case SignatureFault::invalid_signature:
      return "invalid_signature";
    case SignatureFault::stale_timestamp:
      return "stale_timestamp";
    case SignatureFault::body_hash_mismatch:
      return "body_hash_mismatch";
    case SignatureFault::malformed_signature:
      return "malformed_signature";
    case SignatureFault::invalid_credentials:
      return "invalid_credentials";
  }
  return {};
}

std::string_view to_string(IssueCode code) noexcept {
  switch (code) {
    case IssueCode::invalid_recipient:
      return "invalid_recipient";
    case IssueCode::invalid_sender:
      return "invalid_sender";
    case IssueCode::missing_sender:
      return "missing_sender";
    case IssueCode::empty_body:
      return "empty_body";
    case IssueCode::unsupported_field:
      return "unsupported_field";
    case IssueCode::invalid_field:
      return "invalid_field";
  }
  return {};
}

}  // namespace sms
