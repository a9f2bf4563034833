#pragma once

#include <sms/idempotency.hpp>

#include <cstddef>
#include <memory>
#include <string>

namespace sms {

/// Keeps keys in this process: lost on restart, not shared. For tests and for programs of one process.
///
/// Sharded, so that threads seldom wait for each other; expired records are swept away a few at a time by later calls.
/// Uses the `now` of its callers. Thread-safe.
class MemoryIdempotencyStore : public IdempotencyStore {
 public:
  /// Removes a record, whatever its state, for example after an unknown outcome was reconciled. True when there was
  /// one.
  virtual bool erase(const std::string& key) = 0;
  /// Number of records, including expired ones that were not swept yet.
  virtual std::size_t size() const = 0;
};

std::shared_ptr<MemoryIdempotencyStore> memory_idempotency_store();

}  // namespace sms
