#include "stores/dynamodb/rows.hpp"

#include <sms/error.hpp>

#include "core/store_rules.hpp"

#include <utility>

namespace sms::detail {
namespace {

// Only what an operator released, what has expired, and the same message's rejection are ever taken over. A reservation
// ID belongs to one send, and its claims come before its outcome: a claim that arrives after it was given back is late.
constexpr std::string_view may_claim =
    "attribute_not_exists(#key) OR (attribute_exists(#released_at) AND attribute_not_exists(#state)) OR "
    "(#state IN (:accepted, :rejected) AND #expires_at <= :now) OR "
    "(#state = :rejected AND #fingerprint = :fingerprint AND "
    "(attribute_not_exists(#reservation_id) OR #reservation_id <> :me))";
constexpr std::string_view claim =
    "SET #fingerprint = :fingerprint, #state = :reserved, #reservation_id = :me, #reserved_at = :now, "
    "#updated_at = :now REMOVE #record, #expires_at, #ttl, #provider_id, #released_at";
constexpr std::string_view owned = "#state = :reserved AND #reservation_id = :me";

bool is_reserved_by(const DynamoRow& row, const std::string& reservation_id) {
  return !row.released && row.row.state == RecordState::reserved && row.row.reservation_id == reservation_id;
}

bool is_final_of(const DynamoRow& row, const FinalizeRequest& request) {
  return !row.released && row.row.state != RecordState::reserved && row.row.reservation_id == request.reservation_id &&
         row.row.record == to_json(request.record);
}

}  // namespace

Task<DynamoRows::Written> DynamoRows::write(ItemRequest request, const std::string& key, Operation& operation) {
  request.key(key).member("ReturnValues", json_string("ALL_NEW"));
  request.member("ReturnValuesOnConditionCheckFailure", json_string("ALL_OLD"));
  const auto answer = co_await api_.call("UpdateItem", request.to_json(), operation);
  Written written;
  written.done = !answer.condition_failed;
  const auto* item = field(&answer.body, written.done ? "Attributes" : "Item");
  if (item == nullptr && !written.done) {
    // Not every server says what was there.
    written.there = co_await read_row(table_, api_, key, operation);
    co_return written;
  }
  if (item != nullptr) written.there = row_of(*item);
  if (!written.there || written.there->row.key != key) {
    throw operation.error("an answer came that belongs to another question");
  }
  if (written.done) table_.written();
  co_return written;
}

Task<std::optional<IdempotencyRecord>> DynamoRows::get(std::string key, Operation& operation) {
  const auto row = co_await read_row(table_, api_, key, operation);
  if (!row || row->free(now())) co_return std::nullopt;
  co_return record_of(row->row);
}

Task<ReserveResult> DynamoRows::reserve(ReserveRequest request, Operation& operation) {
  for (;;) {
    auto update = table_.request();
    update.update(claim).condition(may_claim).text(":fingerprint", request.fingerprint);
    update.text(":me", request.reservation_id).number(":now", in_ms(now())).text(":reserved", "reserved");
    update.text(":accepted", "accepted").text(":rejected", "rejected");
    const auto written = co_await write(std::move(update), request.key, operation);
    if (written.done) {
      if (!is_reserved_by(*written.there, request.reservation_id)) {
        throw operation.error("an answer came that belongs to another question");
      }
      co_return co_await claimed(request, operation);
    }
    const auto& there = written.there;
    if (there && is_reserved_by(*there, request.reservation_id)) {
      if (co_await touch(request, operation)) co_return co_await claimed(request, operation);
      continue;
    }
    // It may have become free since the write was refused.
    if (!there || there->free(now())) continue;
    auto record = record_of(there->row);
    if (claimable(record, request)) {
      if (there->row.reservation_id == request.reservation_id) {
        throw operation.error("this reservation was given back before");
      }
      continue;
    }
    const bool reserved = there->row.state == RecordState::reserved;
    const auto age = reserved ? age_of(there->row, now()) : std::chrono::milliseconds(0);
    co_return Existing{std::move(record), age};
  }
}

Task<ReserveResult> DynamoRows::claimed(const ReserveRequest& request, Operation& operation) {
  co_await table_.remember_stale_reservation(request.stale_reservation, operation);
  co_return Reserved{request.reservation_id};
}

Task<bool> DynamoRows::touch(const ReserveRequest& request, Operation& operation) {
  auto update = table_.request();
  update.update("SET #updated_at = :now").condition(owned).number(":now", in_ms(now()));
  update.text(":reserved", "reserved").text(":me", request.reservation_id);
  const auto written = co_await write(std::move(update), request.key, operation);
  co_return written.done;
}

Task<FinalizeResult> DynamoRows::finalize(FinalizeRequest request, Operation& operation) {
  request.now = now();
  for (;;) {
    auto update = table_.request();
    write_final(update, final_values(request));
    update.condition(owned).text(":reserved", "reserved").text(":me", request.reservation_id);
    const auto written = co_await write(std::move(update), request.key, operation);
    if (written.done) co_return FinalizeResult::finalized;
    if (!written.there) co_return FinalizeResult::not_owner;
    if (is_final_of(*written.there, request)) co_return FinalizeResult::finalized;
    if (!is_reserved_by(*written.there, request.reservation_id)) co_return FinalizeResult::not_owner;
  }
}

Task<MarkResult> DynamoRows::mark(MarkRequest request, Operation& operation) {
  for (;;) {
    auto update = table_.request();
    update.update("SET #record = :record, #updated_at = :now").condition(owned);
    update.text(":record", mark_json(request.posting)).number(":now", in_ms(now()));
    update.text(":reserved", "reserved").text(":me", request.reservation_id);
    const auto written = co_await write(std::move(update), request.key, operation);
    if (written.done) co_return MarkResult::marked;
    if (!written.there || !is_reserved_by(*written.there, request.reservation_id)) co_return MarkResult::not_owner;
  }
}

Task<SettleResult> DynamoRows::settle(FinalizeRequest request, Operation& operation) {
  request.now = now();
  auto there = co_await read_row(table_, api_, request.key, operation);
  for (bool wrote = false;; wrote = true) {
    std::optional<IdempotencyRecord> known;
    if (there && !there->free(now())) known = record_of(there->row);
    const bool ours = known && there->row.reservation_id == request.reservation_id;
    switch (settle_action(known ? &*known : nullptr, ours, request.record)) {
      case SettleAction::report_duplicate:
        co_return SettleResult::duplicate_detected;
      case SettleAction::keep:
        // Of a write whose answer was lost only its effect can be seen.
        co_return wrote&& is_final_of(*there, request) ? SettleResult::settled : SettleResult::kept;
      case SettleAction::write:
        break;
    }
    auto update = table_.request();
    write_final(update, final_values(request));
    unless_changed(update, there ? &*there : nullptr);
    const auto written = co_await write(std::move(update), request.key, operation);
    if (written.done) co_return SettleResult::settled;
    there = written.there;
  }
}

}  // namespace sms::detail
