#pragma once

#include <sms/stores/sqlite.hpp>

#include "stores/sqlite_file.hpp"
#include "stores/sqlite_history.hpp"
#include "stores/sqlite_operation.hpp"

#include <memory>
#include <thread>
#include <utility>

namespace sms::detail {

class SqliteCommitLoop;

/// The one thread of a store that writes. It takes all waiting operations into one transaction and answers them after
/// its COMMIT has returned: one flush of the disk for many callers. What was submitted is done, or failed, before it
/// ends.
class SqliteWriter {
 public:
  /// Throws `StoreUnavailableError`.
  SqliteWriter(const SqliteFile& file, const SqliteOptions& options);
  SqliteWriter(const SqliteWriter&) = delete;
  SqliteWriter& operator=(const SqliteWriter&) = delete;
  /// May run on the thread itself, when a callback drops the last reference to the store.
  ~SqliteWriter();

  template <class T, class Work>
  void submit(Callback<T> done, Work work) {
    submit(std::make_unique<TypedSqliteOperation<T, Work>>(std::move(done), std::move(work)));
  }

  const SqliteHistory& history() const noexcept;
  /// Whether the caller is a callback of this store: it must not wait for another operation.
  bool is_this_thread() const noexcept { return std::this_thread::get_id() == thread_.get_id(); }

 private:
  void submit(std::unique_ptr<SqliteOperation> operation);

  std::shared_ptr<SqliteCommitLoop> loop_;
  std::thread thread_;
};

}  // namespace sms::detail
