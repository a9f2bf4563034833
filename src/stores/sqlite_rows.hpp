#pragma once

#include <sms/idempotency.hpp>

#include "stores/sqlite_database.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace sms::detail {

/// A row as it stands.
struct SqliteRow {
  std::string key;
  std::string fingerprint;
  std::string state;
  std::optional<std::string> reservation_id;
  std::optional<std::int64_t> reserved_at;
  std::optional<std::string> record;
  std::optional<std::int64_t> expires_at;
  std::optional<std::int64_t> updated_at;
  std::optional<std::string> reserved_boot;

  bool expired(WallTime now) const;
  bool malformed() const;
};

/// The columns in the order of `SqliteRow`.
inline constexpr std::string_view row_columns =
    "key, fingerprint, state, reservation_id, reserved_at, record, expires_at, updated_at, reserved_boot";
SqliteRow read_row(const SqliteStatement& statement);

/// The machine's boot, and how long ago it was: ages within one boot do not depend on the wall clock.
struct BootTime {
  std::string boot_id;
  std::chrono::milliseconds since_boot{0};
  static BootTime now();
  std::string to_text() const;
};

/// How old the reservation of a row is; the boot clock wins while the machine has not been started anew since.
std::chrono::milliseconds age_of(const SqliteRow& row, WallTime now, const BootTime& boot);

/// The record of a row. Throws `StoreUnavailableError` when it cannot be read.
IdempotencyRecord record_of(const SqliteRow& row);

/// The operations of the contract inside a transaction that the caller began. Throw `SqliteFailure`.
class SqliteRows {
 public:
  explicit SqliteRows(SqliteDatabase& database) : database_(database) {}

  std::optional<SqliteRow> find(const std::string& key);
  std::optional<IdempotencyRecord> get(const std::string& key, WallTime now);
  ReserveResult reserve(const ReserveRequest& request);
  FinalizeResult finalize(const FinalizeRequest& request);
  MarkResult mark(const MarkRequest& request);
  SettleResult settle(const FinalizeRequest& request);

  void write_final(const FinalizeRequest& request);
  /// The largest `stale_reservation` of the clients of this store.
  std::chrono::milliseconds stale_reservation();

 private:
  void remember_stale_reservation(std::chrono::milliseconds value);

  SqliteDatabase& database_;
};

}  // namespace sms::detail
