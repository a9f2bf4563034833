#include "stores/sqlite_rows.hpp"

#include "core/store_rules.hpp"

#include <utility>

namespace sms::detail {
namespace {

using std::chrono::milliseconds;

constexpr std::string_view final_row =
    "update sms_idempotency set fingerprint = ?2, state = ?3, reservation_id = ?4, reserved_at = null, record = ?5, "
    "expires_at = ?6, updated_at = ?7, since_boot = ?8, provider_id = ?9 where key = ?1";

}  // namespace

ReserveResult SqliteRows::reserve(const ReserveRequest& request) {
  const auto write = [&](std::string_view sql) {
    auto claim = database_.statement(sql);
    claim.bind(1, request.key).bind(2, request.fingerprint).bind(3, request.reservation_id);
    claim.bind(4, in_ms(request.now)).bind(5, BootMoment::now().to_text()).run();
    return database_.changes() == 1;
  };
  constexpr std::string_view new_row =
      "insert into sms_idempotency (key, fingerprint, state, reservation_id, reserved_at, updated_at, since_boot) "
      "values (?1, ?2, 'reserved', ?3, ?4, ?4, ?5) on conflict (key) do nothing";
  constexpr std::string_view old_row =
      "update sms_idempotency set fingerprint = ?2, state = 'reserved', reservation_id = ?3, reserved_at = ?4, "
      "record = null, expires_at = null, updated_at = ?4, since_boot = ?5, provider_id = null where key = ?1";
  if (!write(new_row)) {
    if (auto existing = find_existing(database_, request)) return *std::move(existing);
    if (!repeat_claim(request)) write(old_row);
  }
  remember_stale_reservation(request.stale_reservation);
  return Reserved{request.reservation_id};
}

bool SqliteRows::repeat_claim(const ReserveRequest& request) {
  // It keeps its time, and is written all the same: a claim is proved by a commit, not by having been read.
  auto touch = database_.statement(
      "update sms_idempotency set updated_at = ?3 where key = ?1 and state = 'reserved' and reservation_id = ?2");
  touch.bind(1, request.key).bind(2, request.reservation_id).bind(3, in_ms(request.now)).run();
  return database_.changes() == 1;
}

FinalizeResult SqliteRows::finalize(const FinalizeRequest& request) {
  static const std::string owned = std::string(final_row) + " and state = 'reserved' and reservation_id = ?4";
  if (write_final(owned, request)) return FinalizeResult::finalized;
  const auto row = find_row(database_, request.key);
  const bool ours = row && row->reservation_id == request.reservation_id && row->state != RecordState::reserved;
  return ours && row->record == to_json(request.record) ? FinalizeResult::finalized : FinalizeResult::not_owner;
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
  if (write_final(final_row, request)) return;
  write_final(
      "insert into sms_idempotency "
      "(key, fingerprint, state, reservation_id, record, expires_at, updated_at, since_boot, provider_id) "
      "values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
      request);
}

bool SqliteRows::write_final(std::string_view sql, const FinalizeRequest& request) {
  auto write = database_.statement(sql);
  const auto expires_at = expiry_of(request);
  const auto* accepted = std::get_if<AcceptedRecord>(&request.record);
  write.bind(1, request.key).bind(2, fingerprint_of(request.record)).bind(3, to_string(state_of(request.record)));
  write.bind(4, request.reservation_id).bind(5, to_json(request.record));
  write.bind(6, expires_at ? std::optional(in_ms(*expires_at)) : std::nullopt).bind(7, in_ms(request.now));
  write.bind(8, BootMoment::now().to_text());
  write.bind(9, accepted == nullptr ? std::nullopt : std::optional(accepted->result.provider_id)).run();
  return database_.changes() == 1;
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
