#pragma once

#include "stores/sqlite_database.hpp"

#include <compare>
#include <cstdint>
#include <mutex>
#include <string>

namespace sms::detail {

/// How far a store has come. A later state of the same file has a larger one.
struct SqliteMark {
  std::int64_t acknowledged = 0;  ///< When an operator last said that a restored file may serve.
  std::int64_t commits = 0;       ///< Moves with commits, at most once a second and process.
  auto operator<=>(const SqliteMark&) const = default;
};

/// Which store this is, and the furthest state of it that this process has seen: a file that falls behind that was
/// restored from a backup, and may have lost claims. Thread-safe.
class SqliteHistory {
 public:
  /// Takes the file as it is.
  void begin(SqliteDatabase& database);
  /// Throws `StoreUnavailableError` when the file holds another store, or an earlier state of this one.
  SqliteMark check(SqliteDatabase& database) const;
  /// The mark that belongs to the next commit.
  static void write(SqliteDatabase& database, const SqliteMark& mark);
  /// What has been committed.
  void remember(const SqliteMark& mark);

  const std::string& identity() const noexcept { return identity_; }

 private:
  std::string identity_;
  mutable std::mutex mutex_;
  SqliteMark furthest_;
};

/// Lets a file serve again that fell behind: whoever has seen a later state takes it for the newest one from now on.
void acknowledge_mark(SqliteDatabase& database, std::int64_t now_ms);

}  // namespace sms::detail
