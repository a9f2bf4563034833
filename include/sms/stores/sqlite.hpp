#pragma once

#include <sms/idempotency.hpp>

#include <chrono>
#include <memory>
#include <string>

namespace sms {

struct SqliteOptions {
  std::string path;  ///< Of the database file; created with mode 0600. Not on a network file system.
  /// How long an operation waits for another process before it is `StoreUnavailableError`.
  std::chrono::milliseconds busy_timeout{5'000};
  std::size_t max_batch = 64;  ///< Operations in one commit at most.
};

/// Keeps keys in a SQLite file: the embedded default, for one machine. Several processes may share the file.
///
/// Every answer comes after the commit that it rests on has reached the disk (WAL, synchronous=FULL). One thread per
/// store writes and commits the waiting operations of all callers together. Has the evidence and the operators'
/// interfaces.
///
/// Throws `StoreUnavailableError` when the file cannot be opened safely (network file system, damaged, of another
/// program).
std::shared_ptr<IdempotencyStore> sqlite_idempotency_store(SqliteOptions options);

}  // namespace sms
