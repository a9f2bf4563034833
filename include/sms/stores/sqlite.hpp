#pragma once

#include <sms/idempotency.hpp>

#include <chrono>
#include <memory>
#include <string>

namespace sms {

struct SqliteOptions {
  /// Of the database file; created with mode 0600. Files named `-wal`, `-shm` and `-lock` lie beside it. On a local
  /// file system: network ones, FUSE and 9P are refused.
  std::string path;
  /// How long an operation waits, in the queue and for other processes, before it is `StoreUnavailableError` and will
  /// not be executed any more.
  std::chrono::milliseconds busy_timeout{5'000};
  std::size_t max_batch = 64;  ///< Operations in one commit at most.
};

/// Keeps keys in a SQLite file: the embedded default, for one machine. Several processes may share the file, and other
/// programs may read it; one that writes into it, or backs it up, should go through SQLite.
///
/// Every answer comes after the commit that it rests on has reached the disk (WAL, synchronous=FULL); a disk that lies
/// about that breaks the promise. One thread per store writes and commits the waiting operations of all callers
/// together; callbacks run on it, or inside the call where the answer is that a key is taken. Goes by the `now` of its
/// callers, but ages within one boot of the machine do not depend on the wall clock. Has the evidence and the
/// operators' interfaces.
///
/// A file that is removed or replaced while it is in use makes every operation fail; it is never made again by a store
/// that is open. So does one that goes back in time, because a backup was restored into it, until an operator
/// acknowledges that (`StoreMaintenance`); what was written within the last second may go back unnoticed, and a store
/// that is opened afterwards knows nothing of it. Destruction finishes what was submitted.
///
/// Throws `StoreUnavailableError` when the file cannot be opened safely (network file system, damaged, of another
/// program or a newer version, hard links), `ConfigurationError` for options that cannot work.
std::shared_ptr<IdempotencyStore> sqlite_idempotency_store(SqliteOptions options);

/// The tables that a store makes in its file, as SQL.
std::string sqlite_migration();

}  // namespace sms
