#include <sms/clock.hpp>

#include "core/store_rules.hpp"
#include "stores/sqlite_rows.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>

namespace sms::detail {
namespace {

using std::chrono::milliseconds;

std::optional<WallTime> time_if(const SqliteStatement& statement, int column) {
  const auto ms = statement.integer_if(column);
  return ms ? std::optional(WallTime(milliseconds(*ms))) : std::nullopt;
}

/// Milliseconds of a moment of this very boot.
std::optional<milliseconds> in_this_boot(const std::optional<std::string>& text, const std::string& boot_id) {
  if (!text || boot_id.empty() || !text->starts_with(boot_id + ":")) return std::nullopt;
  std::int64_t ms = 0;
  const auto* begin = text->data() + boot_id.size() + 1;
  const auto [end, fault] = std::from_chars(begin, text->data() + text->size(), ms);
  return fault == std::errc() ? std::optional(milliseconds(ms)) : std::nullopt;
}

}  // namespace

SqliteRow read_row(const SqliteStatement& statement) {
  SqliteRow row;
  row.key = statement.text(0);
  row.fingerprint = statement.text(1);
  row.state = parse_state(statement.text(2));
  row.reservation_id = statement.text_if(3);
  row.reserved_at = time_if(statement, 4);
  row.record = statement.text_if(5);
  row.expires_at = time_if(statement, 6);
  row.updated_at = time_if(statement, 7);
  row.since_boot = statement.text_if(8);
  return row;
}

std::optional<SqliteRow> find_row(SqliteDatabase& database, const std::string& key) {
  static const std::string sql = std::string(select_row) + "where key = ?1";
  auto select = database.statement(sql);
  select.bind(1, key);
  if (!select.step()) return std::nullopt;
  return read_row(select);
}

BootMoment BootMoment::now() {
  static const std::string boot_id = [] {
    std::string line;
    std::ifstream file("/proc/sys/kernel/random/boot_id");
    std::getline(file, line);
    return line;
  }();
  return {boot_id, std::chrono::floor<milliseconds>(BootClock::now().time_since_epoch())};
}

std::string BootMoment::to_text() const { return boot_id + ":" + std::to_string(since_boot.count()); }

milliseconds age_of(const SqliteRow& row, WallTime now, const BootMoment& moment) {
  if (const auto then = in_this_boot(row.since_boot, moment.boot_id)) {
    return std::max(moment.since_boot - *then, milliseconds(0));
  }
  return age_of(row, now);
}

std::optional<Existing> find_existing(SqliteDatabase& database, const ReserveRequest& request) {
  const auto row = find_row(database, request.key);
  if (!row || row->expired(request.now)) return std::nullopt;
  auto record = record_of(*row);
  if (claimable(record, request)) return std::nullopt;
  const bool reserved = row->state == RecordState::reserved;
  return Existing{std::move(record), reserved ? age_of(*row, request.now, BootMoment::now()) : milliseconds(0)};
}

}  // namespace sms::detail
