#pragma once

#include <sms/clock.hpp>
#include <sms/idempotency.hpp>

#include <cstddef>
#include <memory>
#include <string>

namespace sms {

/// Keeps keys in this process: lost on restart, not shared. For tests and for programs of one process.
///
/// Sharded, so that threads seldom wait for each other; expired records are swept away a few at a time by later calls.
/// Answers are copies. Has the evidence and the operators' interfaces; the latest 10,000 audit rows are kept.
/// Thread-safe; callbacks run inside the call.
class MemoryIdempotencyStore : public IdempotencyStore {
 public:
  /// Removes a record, whatever its state, for example after an unknown outcome was reconciled. True when there was
  /// one.
  virtual bool erase(const std::string& key) = 0;
  /// Number of records, including expired ones that were not swept yet.
  virtual std::size_t size() const = 0;
};

/// Without a clock the store goes by the `now` of its callers, so that the clock of a client, also a fake one, drives
/// it. With one it goes by the `boot_time` of that clock alone: no jump of the wall clock ends a record early or makes
/// a reservation stale.
std::shared_ptr<MemoryIdempotencyStore> memory_idempotency_store(std::shared_ptr<Clock> clock = nullptr);

}  // namespace sms
