#include <sms/outcome.hpp>

namespace sms {

bool fallback_eligible(RejectionCategory category, Proof proof) noexcept {
  if (proof == Proof::status) return false;
  switch (category) {
    case RejectionCategory::auth:
    case RejectionCategory::rate_limited:
    case RejectionCategory::sender:
    case RejectionCategory::account:
    case RejectionCategory::unreachable:
      return true;
    case RejectionCategory::recipient:
    case RejectionCategory::compliance:
    case RejectionCategory::request:
      return false;
  }
  return false;
}

}  // namespace sms
