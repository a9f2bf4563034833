#include "stores/sqlite_rows.hpp"

#include "core/json_text.hpp"
#include "core/store_rules.hpp"

#include <charconv>
#include <utility>

namespace sms::detail {
namespace {

using std::chrono::milliseconds;

std::string mark_json(const PostingMark& posting) {
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("posting").begin_object();
  json.key("provider").string(posting.provider).key("attempt").number(std::int64_t{posting.attempt});
  json.key("at").number(in_ms(posting.at)).end_object().end_object();
  return text;
}

}  // namespace

ReserveResult SqliteRows::reserve(const ReserveRequest& request) {
  if (auto existing = find_existing(database_, request)) return *std::move(existing);
  // One statement for a new claim and for a repeated one, which keeps its time: a claim is proved by a write that
  // commits, not by having been read.
  auto claim = database_.statement(R"sql(
    insert into sms_idempotency
      (key, fingerprint, state, reservation_id, reserved_at, record, expires_at, updated_at, since_boot)
    values (?1, ?2, 'reserved', ?3, ?4, null, null, ?4, ?5)
    on conflict (key) do update set
      fingerprint = excluded.fingerprint, state = 'reserved', reservation_id = excluded.reservation_id,
      reserved_at = excluded.reserved_at, record = null, expires_at = null, updated_at = excluded.updated_at,
      since_boot = excluded.since_boot, provider_id = null
    where not (state = 'reserved' and reservation_id = excluded.reservation_id))sql");
  claim.bind(1, request.key).bind(2, request.fingerprint).bind(3, request.reservation_id);
  claim.bind(4, in_ms(request.now)).bind(5, BootMoment::now().to_text()).run();
  if (database_.changes() == 0) {
    auto touch = database_.statement("update sms_idempotency set updated_at = ?2 where key = ?1");
    touch.bind(1, request.key).bind(2, in_ms(request.now)).run();
  }
  remember_stale_reservation(request.stale_reservation);
  return Reserved{request.reservation_id};
}

FinalizeResult SqliteRows::finalize(const FinalizeRequest& request) {
  const auto row = find_row(database_, request.key);
  if (!row || row->reservation_id != request.reservation_id) return FinalizeResult::not_owner;
  if (row->state != RecordState::reserved) {
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
  const auto row = find_row(database_, request.key);
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
    insert into sms_idempotency
      (key, fingerprint, state, reservation_id, record, expires_at, updated_at, since_boot, provider_id)
    values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
    on conflict (key) do update set
      fingerprint = excluded.fingerprint, state = excluded.state, reservation_id = excluded.reservation_id,
      reserved_at = null, record = excluded.record, expires_at = excluded.expires_at, updated_at = excluded.updated_at,
      since_boot = excluded.since_boot, provider_id = excluded.provider_id)sql");
  const auto expires_at = expiry_of(request);
  const auto* accepted = std::get_if<AcceptedRecord>(&request.record);
  write.bind(1, request.key).bind(2, fingerprint_of(request.record)).bind(3, to_string(state_of(request.record)));
  write.bind(4, request.reservation_id).bind(5, to_json(request.record));
  write.bind(6, expires_at ? std::optional(in_ms(*expires_at)) : std::nullopt).bind(7, in_ms(request.now));
  write.bind(8, BootMoment::now().to_text());
  write.bind(9, accepted == nullptr ? std::nullopt : std::optional(accepted->result.provider_id)).run();
}

void SqliteRows::remember_stale_reservation(milliseconds value) {
  // Mostly nothing to write: then the statement changes no row, and no page.
  auto upsert = database_.statement(
      "insert into sms_store (name, value) values ('stale_reservation_ms', ?1) on conflict (name) do update "
      "set value = excluded.value where cast(value as integer) < cast(excluded.value as integer)");
  upsert.bind(1, std::to_string(value.count())).run();
}

milliseconds largest_stale_reservation(SqliteDatabase& database) {
  constexpr milliseconds unless_known = std::chrono::minutes(5);
  auto select = database.statement("select cast(value as integer) from sms_store where name = 'stale_reservation_ms'");
  return select.step() ? milliseconds(select.integer(0)) : unless_known;
}

}  // namespace sms::detail
