#include "core/store_rules.hpp"

#include <algorithm>

namespace sms::detail {

bool claimable(const IdempotencyRecord& record, const ReserveRequest& request) {
  if (const auto* rejected = std::get_if<RejectedRecord>(&record)) return rejected->fingerprint == request.fingerprint;
  const auto* reserved = std::get_if<ReservedRecord>(&record);
  return reserved != nullptr && !request.reservation_id.empty() && reserved->reservation_id == request.reservation_id;
}

std::chrono::milliseconds age_of(const IdempotencyRecord& record, WallTime now) {
  const auto* reserved = std::get_if<ReservedRecord>(&record);
  return reserved == nullptr ? std::chrono::milliseconds(0)
                             : std::max(now - reserved->reserved_at, std::chrono::milliseconds(0));
}

std::optional<WallTime> expiry_of(const FinalizeRequest& request) {
  if (std::holds_alternative<UnknownRecord>(request.record)) return std::nullopt;
  return std::max(request.now, request.send_at.value_or(request.now)) + request.ttl;
}

SettleAction settle_action(const IdempotencyRecord* there, bool ours, const FinalIdempotencyRecord& evidence) {
  const auto proved = state_of(evidence);
  const auto write_if = [](bool stronger) { return stronger ? SettleAction::write : SettleAction::keep; };
  if (there == nullptr) return write_if(proved != RecordState::rejected);
  switch (state_of(*there)) {
    case RecordState::reserved:
      return write_if(ours || proved == RecordState::accepted);
    case RecordState::rejected:
      return write_if(proved != RecordState::rejected);
    case RecordState::unknown:
      return write_if(proved == RecordState::accepted || (ours && proved == RecordState::rejected));
    case RecordState::accepted:
      break;
  }
  const auto* accepted = std::get_if<AcceptedRecord>(&evidence);
  const auto& known = std::get<AcceptedRecord>(*there).result;
  const bool other_message = accepted != nullptr && (accepted->result.provider != known.provider ||
                                                     accepted->result.provider_id != known.provider_id);
  return other_message ? SettleAction::report_duplicate : SettleAction::keep;
}

}  // namespace sms::detail
