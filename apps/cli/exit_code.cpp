#include "exit_code.hpp"

namespace sms::cli {

ExitCode exit_code_of(const Error& error) noexcept {
  switch (error.code()) {
    case ErrorCode::configuration:
    case ErrorCode::invalid_recipient:
    case ErrorCode::invalid_sender:
    case ErrorCode::invalid_message:
    case ErrorCode::unsupported_field:
      return ExitCode::invalid;
    case ErrorCode::policy_rejected:
    case ErrorCode::provider_rejected:
    case ErrorCode::provider_auth:
    case ErrorCode::provider_rate_limited:
    case ErrorCode::provider_unreachable:
    case ErrorCode::all_providers_rejected:
      return ExitCode::rejected;
    case ErrorCode::handoff_unknown:
      return ExitCode::unknown;
    case ErrorCode::aborted:
      return ExitCode::aborted;
    case ErrorCode::idempotency_conflict:
      return ExitCode::conflict;
    case ErrorCode::idempotency_in_progress:
      return ExitCode::in_progress;
    case ErrorCode::store_unavailable:
      return ExitCode::store_unavailable;
    case ErrorCode::webhook_signature:
    case ErrorCode::webhook_payload:
      return ExitCode::check_failed;
  }
  return ExitCode::unknown;
}

}  // namespace sms::cli
