#pragma once

#include "stores/sqlite_file.hpp"
#include "stores/sqlite_statement.hpp"

#include <sqlite3.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace sms::detail {

/// One connection to the file, with its settings and its prepared statements. For one thread at a time.
///
/// One that writes needs the lock beside the file (`SqliteLock`) while it opens, writes or checkpoints.
class SqliteDatabase {
 public:
  enum class Purpose { write, read };

  /// Throws `StoreUnavailableError`: the file is damaged, of another program, of a newer version, or cannot keep a log.
  SqliteDatabase(const SqliteFile& file, Purpose purpose, std::chrono::milliseconds busy_timeout);
  SqliteDatabase(const SqliteDatabase&) = delete;
  SqliteDatabase& operator=(const SqliteDatabase&) = delete;
  ~SqliteDatabase() = default;

  /// Makes the tables where they are missing. Throws `SqliteFailure`.
  void make_schema();

  /// A statement by its text; prepared once.
  SqliteStatement statement(std::string_view sql);
  void execute(const char* sql);
  /// The first value of its first row.
  std::int64_t number(std::string_view sql);
  /// Whether a transaction is open: SQLite ends one by itself after some errors.
  bool in_transaction() const noexcept;
  int changes() const noexcept;
  /// How long statements wait for other connections.
  void wait_at_most(std::chrono::milliseconds busy_timeout) noexcept;

  /// Whether the log has grown so long that it should be moved into the file.
  bool checkpoint_is_due() const noexcept;
  /// Moves the whole log into the file, flushes it and empties the log. To be called under the lock. Throws
  /// `SqliteFailure`.
  void empty_log();
  void checkpoint() noexcept;

 private:
  struct Closer {
    void operator()(sqlite3* database) const noexcept { sqlite3_close_v2(database); }
  };
  struct Finalizer {
    void operator()(sqlite3_stmt* statement) const noexcept { sqlite3_finalize(statement); }
  };

  void configure(Purpose purpose);

  std::unique_ptr<sqlite3, Closer> database_;
  std::map<std::string, std::unique_ptr<sqlite3_stmt, Finalizer>, std::less<>> statements_;
  int log_pages_ = 0;
};

}  // namespace sms::detail
