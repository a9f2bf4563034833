#include "stores/sqlite_rows.hpp"

#include <sms/clock.hpp>
#include <sms/error.hpp>

#include "core/json_text.hpp"
#include "core/store_rules.hpp"

#include <algorithm>
#include <fstream>
#include <utility>

namespace sms::detail {
namespace {

using std::chrono::milliseconds;

std::int64_t in_ms(WallTime time) { return time.time_since_epoch().count(); }

[[noreturn]] void unreadable() { throw StoreUnavailableError("get", "the stored record of this key cannot be read"); }

std::string mark_json(const PostingMark& posting) {
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("posting").begin_object();
  json.key("provider").string(posting.provider).key("attempt").number(std::int64_t{posting.attempt});
  json.key("at").number(in_ms(posting.at)).end_object().end_object();
  return text;
}

}  // namespace

bool SqliteRow::expired(WallTime now) const { return expires_at && *expires_at <= in_ms(now); }

bool SqliteRow::malformed() const { return state == "reserved" && (!reservation_id || !reserved_at); }

SqliteRow read_row(const SqliteStatement& statement) {
  SqliteRow row;
  row.key = statement.text(0);
  row.fingerprint = statement.text(1);
  row.state = statement.text(2);
  row.reservation_id = statement.text_if(3);
  row.reserved_at = statement.integer_if(4);
  row.record = statement.text_if(5);
  row.expires_at = statement.integer_if(6);
  row.updated_at = statement.integer_if(7);
  row.reserved_boot = statement.text_if(8);
  return row;
}

BootTime BootTime::now() {
  static const std::string boot_id = [] {
    std::string line;
    std::ifstream file("/proc/sys/kernel/random/boot_id");
    std::getline(file, line);
    return line;
  }();
  return {boot_id, std::chrono::floor<milliseconds>(BootClock::now().time_since_epoch())};
}

std::string BootTime::to_text() const { return boot_id + ":" + std::to_string(since_boot.count()); }

milliseconds age_of(const SqliteRow& row, WallTime now, const BootTime& boot) {
  if (row.reserved_boot && !boot.boot_id.empty() && row.reserved_boot->starts_with(boot.boot_id + ":")) {
    const milliseconds then(std::atoll(row.reserved_boot->c_str() + boot.boot_id.size() + 1));
    return std::max(boot.since_boot - then, milliseconds(0));
  }
  if (!row.reserved_at) return milliseconds(0);
  return std::max(now - WallTime(milliseconds(*row.reserved_at)), milliseconds(0));
}

IdempotencyRecord record_of(const SqliteRow& row) {
  if (row.state == "reserved") {
    ReservedRecord reserved;
    reserved.fingerprint = row.fingerprint;
    reserved.reservation_id = row.reservation_id.value_or(std::string());
    reserved.reserved_at = WallTime(milliseconds(row.reserved_at.value_or(0)));
    if (!row.record) return reserved;
    // The column holds only what is not in a column of its own.
    std::string whole = to_json(IdempotencyRecord(reserved));
    if (!row.record->starts_with('{')) unreadable();
    whole.back() = ',';
    auto parsed = parse_record(whole + row.record->substr(1));
    if (!parsed) unreadable();
    return *std::move(parsed);
  }
  if (!row.record) unreadable();
  auto parsed = parse_record(*row.record);
  if (!parsed || to_string(state_of(*parsed)) != row.state) unreadable();
  return *std::move(parsed);
}

std::optional<SqliteRow> SqliteRows::find(const std::string& key) {
  auto select = database_.statement(
      "select key, fingerprint, state, reservation_id, reserved_at, record, expires_at, updated_at, reserved_boot "
      "from sms_idempotency where key = ?1");
  select.bind(1, key);
  if (!select.step()) return std::nullopt;
  return read_row(select);
}

std::optional<IdempotencyRecord> SqliteRows::get(const std::string& key, WallTime now) {
  const auto row = find(key);
  if (!row || row->expired(now)) return std::nullopt;
  return record_of(*row);
}

ReserveResult SqliteRows::reserve(const ReserveRequest& request) {
  const auto boot = BootTime::now();
  if (const auto row = find(request.key); row && !row->expired(request.now)) {
    auto record = record_of(*row);
    if (!claimable(record, request)) return Existing{std::move(record), age_of(*row, request.now, boot)};
    if (row->state == "reserved") {
      // Ours already. The claim is proved by a write that commits, not by having been read.
      auto touch = database_.statement("update sms_idempotency set updated_at = ?2 where key = ?1");
      touch.bind(1, request.key).bind(2, in_ms(request.now)).run();
      return Reserved{request.reservation_id};
    }
  }
  auto claim = database_.statement(R"sql(
    insert into sms_idempotency (key, fingerprint, state, reservation_id, reserved_at, record, expires_at, updated_at, reserved_boot)
    values (?1, ?2, 'reserved', ?3, ?4, null, null, ?4, ?5)
    on conflict (key) do update set
      fingerprint = excluded.fingerprint, state = 'reserved', reservation_id = excluded.reservation_id,
      reserved_at = excluded.reserved_at, record = null, expires_at = null, updated_at = excluded.updated_at,
      reserved_boot = excluded.reserved_boot)sql");
  claim.bind(1, request.key).bind(2, request.fingerprint).bind(3, request.reservation_id);
  claim.bind(4, in_ms(request.now)).bind(5, boot.to_text()).run();
  remember_stale_reservation(request.stale_reservation);
  return Reserved{request.reservation_id};
}

FinalizeResult SqliteRows::finalize(const FinalizeRequest& request) {
  const auto row = find(request.key);
  if (!row || row->reservation_id != request.reservation_id) return FinalizeResult::not_owner;
  if (row->state != "reserved") {
    return row->record == to_json(request.record) ? FinalizeResult::finalized : FinalizeResult::not_owner;
  }
  write_final(request);
  return FinalizeResult::finalized;
}

MarkResult SqliteRows::mark(const MarkRequest& request) {
  auto update = database_.statement(
      "update sms_idempotency set record = ?3, updated_at = ?4 "
      "where key = ?1 and state = 'reserved' and reservation_id = ?2");
  update.bind(1, request.key).bind(2, request.reservation_id).bind(3, mark_json(request.posting));
  update.bind(4, in_ms(request.posting.at)).run();
  return database_.changes() == 1 ? MarkResult::marked : MarkResult::not_owner;
}

SettleResult SqliteRows::settle(const FinalizeRequest& request) {
  const auto row = find(request.key);
  std::optional<IdempotencyRecord> there;
  if (row && !row->expired(request.now)) there = record_of(*row);
  const bool ours = there && row->reservation_id == request.reservation_id;
  switch (settle_action(there ? &*there : nullptr, ours, request.record)) {
    case SettleAction::write:
      write_final(request);
      return SettleResult::settled;
    case SettleAction::report_duplicate:
      return SettleResult::duplicate_detected;
    case SettleAction::keep:
      break;
  }
  return SettleResult::kept;
}

void SqliteRows::write_final(const FinalizeRequest& request) {
  auto write = database_.statement(R"sql(
    insert into sms_idempotency (key, fingerprint, state, reservation_id, reserved_at, record, expires_at, updated_at, reserved_boot)
    values (?1, ?2, ?3, ?4, null, ?5, ?6, ?7, null)
    on conflict (key) do update set
      fingerprint = excluded.fingerprint, state = excluded.state, reservation_id = excluded.reservation_id,
      reserved_at = null, record = excluded.record, expires_at = excluded.expires_at, updated_at = excluded.updated_at,
      reserved_boot = null)sql");
  const auto expires_at = expiry_of(request);
  write.bind(1, request.key).bind(2, fingerprint_of(request.record)).bind(3, to_string(state_of(request.record)));
  write.bind(4, request.reservation_id).bind(5, to_json(request.record));
  write.bind(6, expires_at ? std::optional(in_ms(*expires_at)) : std::nullopt).bind(7, in_ms(request.now)).run();
}

milliseconds SqliteRows::stale_reservation() {
  constexpr milliseconds unless_known = std::chrono::minutes(5);
  auto select = database_.statement("select value from sms_store where name = 'stale_reservation_ms'");
  return select.step() ? milliseconds(std::atoll(select.text(0).c_str())) : unless_known;
}

void SqliteRows::remember_stale_reservation(milliseconds value) {
  {
    auto select = database_.statement(
        "select 1 from sms_store where name = 'stale_reservation_ms' and cast(value as integer) >= ?1");
    select.bind(1, std::int64_t{value.count()});
    if (select.step()) return;
  }
  auto upsert = database_.statement(
      "insert into sms_store (name, value) values ('stale_reservation_ms', ?1) "
      "on conflict (name) do update set value = excluded.value");
  upsert.bind(1, std::to_string(value.count())).run();
}

}  // namespace sms::detail
