#include "stores/postgres/answer.hpp"

namespace sms::detail {
namespace {

std::optional<WallTime> time_if(const PgResult& result, int row, int column) {
  const auto ms = result.integer_if(row, column);
  return ms ? std::optional(WallTime(std::chrono::milliseconds(*ms))) : std::nullopt;
}

}  // namespace

PgRow read_row(const PgResult& result, int row, int first_column) {
  PgRow read;
  read.key = result.text(row, first_column);
  read.fingerprint = result.text(row, first_column + 1);
  read.state = parse_state(result.text(row, first_column + 2));
  read.reservation_id = result.text_if(row, first_column + 3);
  read.reserved_at = time_if(result, row, first_column + 4);
  read.record = result.text_if(row, first_column + 5);
  read.expires_at = time_if(result, row, first_column + 6);
  // A writer that does not know our columns leaves in them what stood there, and no ID in its final rows.
  if (read.reservation_id) read.updated_at = time_if(result, row, first_column + 7);
  read.version = result.text(row, first_column + 8);
  return read;
}

bool PgAnswer::has_row() const { return result->text_if(index, first_row_column + 2).has_value(); }
PgRow PgAnswer::row() const { return read_row(*result, index, first_row_column); }

}  // namespace sms::detail
