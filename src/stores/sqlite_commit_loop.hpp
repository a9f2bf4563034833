#pragma once

#include <sms/stores/sqlite.hpp>

#include "stores/sqlite_database.hpp"
#include "stores/sqlite_file.hpp"
#include "stores/sqlite_history.hpp"
#include "stores/sqlite_lock.hpp"
#include "stores/sqlite_operation.hpp"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sms::detail {

/// Collects operations and commits them batch by batch. `run` belongs to one thread, `submit` and `stop` to any.
class SqliteCommitLoop {
 public:
  /// Opens the file and makes its tables. Throws `StoreUnavailableError`.
  SqliteCommitLoop(const SqliteFile& file, const SqliteOptions& options);

  void submit(std::unique_ptr<SqliteOperation> operation);
  /// Lets `run` end after what was submitted.
  void stop();
  void run();

  const SqliteHistory& history() const noexcept { return history_; }

 private:
  using Batch = std::vector<std::unique_ptr<SqliteOperation>>;

  Batch next_batch();
  /// Executes and answers the operations.
  void serve(Batch batch);
  /// Fails what has waited for longer than its caller does: nobody would know what it did.
  void drop_late(Batch& batch, std::string_view why) const;
  /// Runs the operations in one transaction. Throws with nothing committed.
  void commit(std::span<const std::unique_ptr<SqliteOperation>> batch);
  /// Makes the connection usable again after a failure, or gives it up.
  void recover(bool fatal) noexcept;
  void open();
  /// Moves the log into the file.
  void checkpoint() noexcept;
  SqliteLock::Held lock(BootClock::time_point deadline);

  SqliteFile file_;
  SqliteOptions options_;
  SqliteLock lock_;
  std::unique_ptr<SqliteDatabase> database_;
  SqliteHistory history_;
  BootClock::time_point next_mark_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::unique_ptr<SqliteOperation>> waiting_;
  bool stopped_ = false;
};

}  // namespace sms::detail
