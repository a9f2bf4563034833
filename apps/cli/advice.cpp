#include "report.hpp"

namespace sms::cli {

Advice advice_for(const Error& error) noexcept {
  switch (error.code()) {
    case ErrorCode::configuration:
      return {"Safe: nothing was sent.", "Correct the configuration; `sms-sdk doctor` checks it."};
    case ErrorCode::invalid_recipient:
    case ErrorCode::invalid_sender:
    case ErrorCode::invalid_message:
    case ErrorCode::unsupported_field:
      return {"Safe: nothing was sent.", "Correct the message; `sms-sdk validate` lists everything that is wrong."};
    case ErrorCode::policy_rejected:
      return {"Safe with the same key: nothing was sent.", "Send again when the policy allows it."};
    case ErrorCode::provider_auth:
      return {"Safe with the same key: no message was created.", "Check the provider's credentials, then send again."};
    case ErrorCode::provider_rate_limited:
      return {"Safe with the same key: no message was created.", "Wait, then send again."};
    case ErrorCode::provider_unreachable:
      return {"Safe with the same key: nothing left this machine.", "Check network and base_url, then send again."};
    case ErrorCode::provider_rejected:
    case ErrorCode::all_providers_rejected:
      return {"Safe with the same key: no message was created.", "Remove the cause that the provider names first."};
    case ErrorCode::handoff_unknown:
      return {
          "NO, under no key: the message may exist, and the person would be texted twice.",
          "Look it up at the provider; `sms-sdk keys show KEY` says from when that is conclusive, and what follows."};
    case ErrorCode::aborted:
      return {"Safe with the same key: nothing was under way.", "Send again when you like."};
    case ErrorCode::idempotency_conflict:
      return {"Not with this key: it names another message.",
              "`sms-sdk keys show KEY` says what became of that one. A new key names a new message."};
    case ErrorCode::idempotency_in_progress:
      return {"Safe with the same key.", "Try again later, or use --in-progress wait:30s."};
    case ErrorCode::store_unavailable:
      return {"Safe with the same key: nothing was sent.", "Bring the store back, then send again."};
    case ErrorCode::webhook_signature:
    case ErrorCode::webhook_payload:
      return {"Nothing was sent.", "Do not act on the webhook."};
  }
  return {"Unknown.", "Look the message up at the provider."};
}

}  // namespace sms::cli
