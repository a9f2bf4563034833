#include "stores/dynamodb/operators.hpp"

#include <sms/error.hpp>

#include "core/operator_rules.hpp"
#include "core/store_rules.hpp"

#include <algorithm>
#include <exception>
#include <utility>

namespace sms::detail {
namespace {

using std::chrono::milliseconds;

KeyView view_at(const StoredRow& row, WallTime now, milliseconds stale_after) {
  return view_of(row, std::nullopt, age_of(row, now), stale_after);
}

}  // namespace

Task<DynamoOperators::Seen> DynamoOperators::look(std::string key, Operation& operation) {
  Seen seen;
  seen.stale_after = (co_await table_.facts(operation)).stale_reservation;
  seen.row = co_await read_row(table_, api_, key, operation);
  if (seen.row && !seen.row->free(now())) seen.view = view_at(seen.row->row, now(), seen.stale_after);
  co_return seen;
}

Task<void> DynamoOperators::each_row(std::string filter, Operation& operation, std::function<void(DynamoRow)> each) {
  auto request = table_.request();
  request.filter(filter);
  if (filter.find(":accepted") != std::string::npos) request.text(":accepted", "accepted");
  if (filter.find(":rejected") != std::string::npos) request.text(":rejected", "rejected");
  co_await scan(api_, std::move(request), time_of_a_page_, operation,
                [&](const boost::json::value& item) { each(row_of(item)); });
}

Task<ListPage> DynamoOperators::list(ListRequest request, Operation& operation) {
  const auto stale_after = (co_await table_.facts(operation)).stale_reservation;
  const auto at = now();
  const auto after = ListCursor::parse(request.cursor);
  std::vector<std::pair<ListCursor, KeyView>> found;
  co_await each_row("attribute_exists(#state)", operation, [&](const DynamoRow& row) {
    ListCursor place{row.row.since().value_or(WallTime()), row.row.key};
    if (row.free(at) || place <= after) return;
    auto view = view_at(row.row, at, stale_after);
    if (is_listed(view, request)) found.emplace_back(std::move(place), std::move(view));
  });
  std::ranges::sort(found, {}, &std::pair<ListCursor, KeyView>::first);
  ListPage page;
  for (auto& [place, view] : found) {
    if (page.keys.size() == request.limit) break;
    page.next_cursor = place.to_text();
    page.keys.push_back(std::move(view));
  }
  if (page.keys.size() == found.size()) page.next_cursor.clear();
  co_return page;
}

Task<std::optional<KeyView>> DynamoOperators::show(std::string key, Operation& operation) {
  auto seen = co_await look(std::move(key), operation);
  co_return std::move(seen.view);
}

Task<OperatorResult> DynamoOperators::resolve(ResolveRequest request, Operation& operation) {
  const auto seen = co_await look(request.key, operation);
  const auto allowed = may_resolve(seen.view, request);
  if (allowed != OperatorResult::done) co_return allowed;
  if (co_await id_in_use(request, operation)) co_return OperatorResult::id_in_use;

  FinalizeRequest final_record;
  final_record.key = request.key;
  final_record.reservation_id = seen.row->row.reservation_id.value_or(std::string());
  final_record.record = resolved_record(seen.view->record, request.provider, request.provider_id,
                                        message_id_of(seen.row->row.reservation_id));
  final_record.ttl = request.ttl;
  final_record.now = now();
  auto update = table_.request();
  write_final(update, final_values(final_record), ", #audit = :audit");
  const auto audit = audit_json(*seen.view, request.note, audit_action(request));
  const bool written = co_await change(std::move(update), *seen.row, audit, operation);
  co_return written ? OperatorResult::done : OperatorResult::changed;
}

Task<OperatorResult> DynamoOperators::release(ReleaseRequest request, Operation& operation) {
  const auto seen = co_await look(request.key, operation);
  const auto allowed = may_release(seen.view, request, seen.stale_after);
  if (allowed != OperatorResult::done) co_return allowed;

  auto update = table_.request();
  update.update(
      "SET #released_at = :now, #updated_at = :now, #audit = :audit REMOVE #state, #fingerprint, #reservation_id, "
      "#reserved_at, #record, #expires_at, #ttl, #provider_id");
  update.number(":now", in_ms(now()));
  const auto audit = audit_json(*seen.view, request.note, audit_action(request));
  const bool written = co_await change(std::move(update), *seen.row, audit, operation);
  if (!written) co_return OperatorResult::changed;
  // The key is free already. What is left of it goes when it can.
  try {
    auto left = co_await read_row(table_, api_, request.key, operation);
    if (left && left->released) co_await remove(*std::move(left), operation);
  } catch (const std::exception&) {
    // A purge will remove it.
  }
  co_return OperatorResult::done;
}

Task<bool> DynamoOperators::change(ItemRequest request, const DynamoRow& seen, const std::string& audit,
                                   Operation& operation) {
  // A change before this one may have died before its audit row stood on its own.
  if (seen.audit) co_await audit_.copy(*seen.audit, operation);
  request.key(seen.row.key).text(":audit", audit);
  unless_changed(request, &seen);
  const auto answer = co_await api_.call("UpdateItem", request.to_json(), operation);
  if (answer.condition_failed) {
    // An answer may have been lost: the audit row has an ID of its own, and tells whether it was this very change.
    const auto there = co_await read_row(table_, api_, seen.row.key, operation);
    if (!there || there->audit != audit) co_return false;
  }
  try {
    co_await audit_.copy(audit, operation);
  } catch (const std::exception&) {
    // It stands in the item of the key.
  }
  co_return true;
}

Task<bool> DynamoOperators::remove(DynamoRow row, Operation& operation) {
  if (row.audit) co_await audit_.copy(*row.audit, operation);
  auto request = table_.request();
  request.key(row.row.key);
  std::string condition = row.audit ? "#audit = :audit" : "attribute_not_exists(#audit)";
  if (row.audit) request.text(":audit", *row.audit);
  if (row.released) {
    condition += " AND attribute_exists(#released_at) AND attribute_not_exists(#state)";
  } else {
    condition += " AND #state IN (:accepted, :rejected) AND #expires_at <= :now";
    request.text(":accepted", "accepted").text(":rejected", "rejected").number(":now", in_ms(now()));
  }
  request.condition(condition);
  const auto answer = co_await api_.call("DeleteItem", request.to_json(), operation);
  co_return !answer.condition_failed;
}

Task<std::size_t> DynamoOperators::purge_expired(std::size_t limit, Operation& operation) {
  std::vector<DynamoRow> gone;
  const auto at = now();
  co_await each_row("#state IN (:accepted, :rejected) OR attribute_exists(#released_at)", operation,
                    [&](DynamoRow row) {
                      if (row.free(at)) gone.push_back(std::move(row));
                    });
  std::size_t purged = 0;
  for (auto& row : gone) {
    const bool counts = !row.released;
    if (counts && purged == limit) continue;
    operation.extend(api_.clock().boot_time() + time_of_a_page_);
    const bool removed = co_await remove(std::move(row), operation);
    purged += removed && counts ? 1U : 0U;
  }
  co_return purged;
}

Task<StoreStats> DynamoOperators::stats(Operation& operation) {
  const auto stale_after = (co_await table_.facts(operation)).stale_reservation;
  const auto at = now();
  StoreStats stats;
  co_await each_row("attribute_exists(#state)", operation, [&](const DynamoRow& row) {
    if (row.free(at)) {
      ++stats.expired;
    } else {
      count(stats, view_at(row.row, at, stale_after));
    }
  });
  co_return stats;
}

Task<std::vector<AuditRow>> DynamoOperators::audit(std::size_t limit, std::optional<std::string> key,
                                                   Operation& operation) {
  return audit_.read(limit, std::move(key), time_of_a_page_, operation);
}

Task<bool> DynamoOperators::id_in_use(const ResolveRequest& request, Operation& operation) {
  auto scanned = table_.request();
  scanned.filter("#provider_id = :provider_id").text(":provider_id", request.provider_id);
  bool used = false;
  const auto at = now();
  co_await scan(api_, std::move(scanned), time_of_a_page_, operation, [&](const boost::json::value& item) {
    const auto row = row_of(item);
    if (row.free(at) || row.row.key == request.key) return;
    const auto record = record_of(row.row);
    const auto* accepted = std::get_if<AcceptedRecord>(&record);
    used = used || (accepted != nullptr && accepted->result.provider == request.provider);
  });
  co_return used;
}

std::string DynamoOperators::audit_json(const KeyView& before, const OperatorNote& note,
                                        std::string_view action) const {
  return DynamoAudit::json_of({now(), before.key, note.who, std::string(action), note.why, to_json(before.record)});
}

}  // namespace sms::detail
