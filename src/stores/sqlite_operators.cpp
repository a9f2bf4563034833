#include "stores/sqlite_operators.hpp"

#include "core/operator_rules.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

namespace sms::detail {

OperatorResult SqliteOperators::resolve(const ResolveRequest& request) {
  const auto seen = show_key(database_, request.key, request.now);
  const auto result = may_resolve(seen, request);
  if (result != OperatorResult::done) return result;
  if (id_in_use(request)) return OperatorResult::id_in_use;

  FinalizeRequest final_record;
  final_record.key = request.key;
  final_record.reservation_id = seen->reservation_id.value_or(std::string());
  final_record.record =
      resolved_record(seen->record, request.provider, request.provider_id, message_id_of(seen->reservation_id));
  final_record.ttl = request.ttl;
  final_record.now = request.now;
  SqliteRows(database_).write_final(final_record);
  write_audit(*seen, request.note, audit_action(request), request.now);
  return result;
}

OperatorResult SqliteOperators::release(const ReleaseRequest& request) {
  const auto seen = show_key(database_, request.key, request.now);
  const auto result = may_release(seen, request, largest_stale_reservation(database_));
  if (result != OperatorResult::done) return result;
  auto remove = database_.statement("delete from sms_idempotency where key = ?1");
  remove.bind(1, request.key).run();
  write_audit(*seen, request.note, audit_action(request), request.now);
  return result;
}

std::size_t SqliteOperators::purge_expired(std::size_t limit, WallTime now) {
  auto remove = database_.statement(
      "delete from sms_idempotency where state in ('accepted', 'rejected') and expires_at <= ?1 and rowid in "
      "(select rowid from sms_idempotency where state in ('accepted', 'rejected') and expires_at <= ?1 "
      "order by expires_at limit ?2)");
  constexpr std::size_t most = std::numeric_limits<std::int32_t>::max();
  remove.bind(1, in_ms(now)).bind(2, static_cast<std::int64_t>(std::min(limit, most))).run();
  return static_cast<std::size_t>(database_.changes());
}

bool SqliteOperators::id_in_use(const ResolveRequest& request) {
  static const std::string sql = std::string(select_row) + "where provider_id = ?1 and key <> ?2";
  auto select = database_.statement(sql);
  select.bind(1, request.provider_id).bind(2, request.key);
  while (select.step()) {
    const auto row = read_row(select);
    if (row.expired(request.now)) continue;
    const auto record = record_of(row);
    const auto* accepted = std::get_if<AcceptedRecord>(&record);
    if (accepted != nullptr && accepted->result.provider == request.provider) return true;
  }
  return false;
}

void SqliteOperators::write_audit(const KeyView& before, const OperatorNote& note, std::string_view action,
                                  WallTime now) {
  auto insert =
      database_.statement("insert into sms_audit (at, key, who, action, why, before) values (?1, ?2, ?3, ?4, ?5, ?6)");
  insert.bind(1, in_ms(now)).bind(2, before.key).bind(3, note.who).bind(4, action).bind(5, note.why);
  insert.bind(6, to_json(before.record)).run();
}

}  // namespace sms::detail
