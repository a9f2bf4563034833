#pragma once

#include "stores/postgres/operation.hpp"

#include <string>

namespace sms::detail {

/// Their values: $1 lock_timeout in milliseconds, $2 a text that comes back in every row, $3 the deadline by the
/// server's clock, $4 the identity of the store, $5 the timeline of the server, $6 the keys, then the arrays of the
/// operations. Where identity, timeline or deadline do not hold they write nothing and answer no row.
///
/// Columns of a row: $2, the server's time, done, already, then those of `row_columns`.
const std::string& statement_sql(PgStatement statement, bool timeline_known);
/// `reserve`, which also remembers its last value as the largest `stale_reservation` once it claims a key.
const std::string& remembering_reserve_sql(bool timeline_known);

inline constexpr std::string_view timeline_sql = "substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8)";

}  // namespace sms::detail
