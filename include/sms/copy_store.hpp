#pragma once

#include <sms/idempotency.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>

namespace sms {

struct CopyOptions {
  bool dry_run = false;  ///< Only compares.
  std::stop_token stop = {};
  /// Called for each key whose record in the target is another one, with the two states.
  std::function<void(const std::string& key, RecordState from, RecordState to)> on_conflict = {};
  WallTime now{};
};

struct CopyReport {
  struct Counts {
    std::uint64_t copied = 0;     ///< In a dry run: would be.
    std::uint64_t there = 0;      ///< The target has this very record already.
    std::uint64_t conflicts = 0;  ///< The target has another record, which was left as it is.
  };
  Counts reserved, accepted, rejected, unknown;

  Counts total() const noexcept;
};

/// Carries the keys of a store to another one, of whatever kind. May be repeated: what is there already is only
/// compared, and a copy that was interrupted goes on.
///
/// - The target's records are never overwritten.
/// - Accepted and rejected records keep their expiry to the millisecond; one that has none lives for fifty years.
/// - A reservation keeps its ID and its posting mark, but its age starts anew.
/// - Records without a reservation ID, which another implementation wrote, get one that is derived from key and record.
/// - Audit rows stay behind.
///
/// It sees the keys as they are when it comes to them. Where senders use the old store meanwhile, let them claim in
/// both
/// (`migrating_store`) and repeat the copy until nothing is left to copy; before the old store is given up, nobody may
/// write to it any more.
///
/// Blocks. Throws `ConfigurationError` when `from` cannot be listed, and what the stores answer; what was copied by
/// then stays.
CopyReport copy_store(IdempotencyStore& from, IdempotencyStore& to, const CopyOptions& options);

}  // namespace sms
