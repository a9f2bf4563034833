#pragma once

#include "core/stored_row.hpp"
#include "stores/postgres/link.hpp"

#include <string>
#include <string_view>

namespace sms::detail {

/// A row of the table, and the version of it that the server keeps.
struct PgRow : StoredRow {
  std::string version;
};

/// The columns that `read_row` expects, of the table `t`.
inline constexpr std::string_view row_columns =
    "t.key, t.fingerprint, t.state, t.reservation_id, t.reserved_at, t.record::text, t.expires_at, t.updated_at, "
    "t.xmin::text";
/// Milliseconds by the server's clock, at this very moment of the statement.
inline constexpr std::string_view server_time = "floor(extract(epoch from clock_timestamp()) * 1000)::bigint";

/// Throws `StoreUnavailableError` for a row that cannot be read.
PgRow read_row(const PgResult& result, int row, int first_column);

/// What the server says of one key of a batch.
struct PgAnswer {
  bool done = false;         ///< What the statement was to write is written.
  bool already = false;      ///< It stood there before.
  WallTime now{};            ///< By the server's clock.
  const PgResult* result{};  ///< For `row`.
  int index = 0;

  bool has_row() const;
  PgRow row() const;

  static constexpr int first_row_column = 4;
};

}  // namespace sms::detail
