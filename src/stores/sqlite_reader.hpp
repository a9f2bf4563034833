#pragma once

#include <sms/idempotency.hpp>

#include "stores/sqlite_database.hpp"
#include "stores/sqlite_file.hpp"
#include "stores/sqlite_history.hpp"

#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace sms::detail {

/// A connection that only reads, so that a repeated send is answered without waiting for the commits of others. What it
/// says to a claim is only ever that the key cannot be claimed. Thread-safe.
class SqliteReader {
 public:
  /// `history` must outlive the reader.
  SqliteReader(const SqliteFile& file, const SqliteHistory& history) : file_(file), history_(history) {}

  // Absent: to be asked of the writer.
  std::optional<std::optional<IdempotencyRecord>> get(const std::string& key, WallTime now);
  std::optional<Existing> existing(const ReserveRequest& request);

 private:
  template <class Work>
  auto read(Work work) -> decltype(work(std::declval<SqliteDatabase&>()));

  SqliteFile file_;
  const SqliteHistory& history_;
  std::mutex mutex_;
  std::unique_ptr<SqliteDatabase> database_;
};

}  // namespace sms::detail
