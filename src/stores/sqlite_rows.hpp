#pragma once

#include <sms/idempotency.hpp>

#include "core/stored_row.hpp"
#include "stores/sqlite_database.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace sms::detail {

/// A row as it stands.
struct SqliteRow : StoredRow {
  std::optional<std::string> since_boot;
};

/// The columns of a row in the order that `read_row` expects, from the table.
inline constexpr std::string_view select_row =
    "select key, fingerprint, state, reservation_id, reserved_at, record, expires_at, updated_at, since_boot "
    "from sms_idempotency ";
/// Throws `StoreUnavailableError` for a row that cannot be read, never takes it for absent.
SqliteRow read_row(const SqliteStatement& statement);
std::optional<SqliteRow> find_row(SqliteDatabase& database, const std::string& key);

/// A moment by the clock of the machine's boot: ages within one boot do not depend on the wall clock.
struct BootMoment {
  std::string boot_id;
  std::chrono::milliseconds since_boot{0};

  static BootMoment now();
  std::string to_text() const;
};

/// How long the row has been what it is. The boot clock wins while the machine has not been started anew since.
std::chrono::milliseconds age_of(const SqliteRow& row, WallTime now, const BootMoment& moment);

/// What `reserve` answers for a key that it cannot claim; absent where it may be claimed, or claimed again.
std::optional<Existing> find_existing(SqliteDatabase& database, const ReserveRequest& request);

/// The operations that write, inside a transaction that the caller began. Throw `SqliteFailure`.
class SqliteRows {
 public:
  explicit SqliteRows(SqliteDatabase& database) : database_(database) {}

  ReserveResult reserve(const ReserveRequest& request);
  FinalizeResult finalize(const FinalizeRequest& request);
  MarkResult mark(const MarkRequest& request);
  SettleResult settle(const FinalizeRequest& request);
  /// Whatever stands there.
  void write_final(const FinalizeRequest& request);

 private:
  bool repeat_claim(const ReserveRequest& request);
  bool write_final(std::string_view sql, const FinalizeRequest& request);
  void remember_stale_reservation(std::chrono::milliseconds value);

  SqliteDatabase& database_;
};

/// The largest `stale_reservation` of the clients of this store.
std::chrono::milliseconds largest_stale_reservation(SqliteDatabase& database);

}  // namespace sms::detail
