#include <sms/clock.hpp>
#include <sms/error.hpp>

#include "core/store_rules.hpp"
#include "core/words.hpp"
#include "stores/sqlite_rows.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>

namespace sms::detail {
namespace {

using std::chrono::milliseconds;

[[noreturn]] void unreadable() { throw StoreUnavailableError("get", "the stored record of this key cannot be read"); }

std::optional<WallTime> time_if(const SqliteStatement& statement, int column) {
  const auto ms = statement.integer_if(column);
  return ms ? std::optional(WallTime(milliseconds(*ms))) : std::nullopt;
}

IdempotencyRecord parse(const std::string& json, RecordState state) {
  auto parsed = parse_record(json);
  if (!parsed || state_of(*parsed) != state) unreadable();
  return *std::move(parsed);
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
  const auto state = from_word<RecordState>(statement.text(2));
  if (!state) unreadable();
  row.state = *state;
  row.reservation_id = statement.text_if(3);
  row.reserved_at = time_if(statement, 4);
  row.record = statement.text_if(5);
  row.expires_at = time_if(statement, 6);
  row.updated_at = time_if(statement, 7);
  row.since_boot = statement.text_if(8);
  // What never expires does not expire by another writer's mistake either.
  if (row.state == RecordState::reserved || row.state == RecordState::unknown) row.expires_at.reset();
  return row;
}

std::optional<SqliteRow> find_row(SqliteDatabase& database, const std::string& key) {
  static const std::string sql = std::string(select_row) + "where key = ?1";
  auto select = database.statement(sql);
  select.bind(1, key);
  if (!select.step()) return std::nullopt;
  return read_row(select);
}

IdempotencyRecord record_of(const SqliteRow& row) {
  if (row.state != RecordState::reserved) {
    if (!row.record) unreadable();
    return parse(*row.record, row.state);
  }
  ReservedRecord reserved;
  reserved.fingerprint = row.fingerprint;
  reserved.reservation_id = row.reservation_id.value_or(std::string());
  reserved.reserved_at = row.reserved_at.value_or(WallTime());
  if (!row.record) return reserved;
  // The column holds only what has no column of its own.
  std::string whole = to_json(IdempotencyRecord(reserved));
  if (!row.record->starts_with('{')) unreadable();
  whole.back() = ',';
  return parse(whole + row.record->substr(1), row.state);
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
  const auto since = row.since();
  return since ? std::max(now - *since, milliseconds(0)) : milliseconds(0);
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
