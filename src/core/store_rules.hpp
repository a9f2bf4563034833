#pragma once

#include <sms/idempotency.hpp>

#include <optional>
#include <string>

namespace sms::detail {

/// The rules of the store contract as functions on values, for stores that decide outside of their database.

/// Whether `reserve` may claim a key that has this record, not expired.
bool claimable(const IdempotencyRecord& record, const ReserveRequest& request);

/// Age of a reservation by a wall clock; zero for other records and for times in the future.
std::chrono::milliseconds age_of(const IdempotencyRecord& record, WallTime now);

/// When the record of this request expires; never for an unknown one.
std::optional<WallTime> expiry_of(const FinalizeRequest& request);

/// What evidence does to the record there (null: none, or expired), whose row has our reservation ID or not.
enum class SettleAction { write, keep, report_duplicate };
SettleAction settle_action(const IdempotencyRecord* there, bool ours, const FinalIdempotencyRecord& evidence);

}  // namespace sms::detail
