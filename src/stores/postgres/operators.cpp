#include "stores/postgres/operators.hpp"

#include "core/operator_rules.hpp"
#include "stores/postgres/operation.hpp"
#include "stores/postgres/safe_json.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace sms::detail {
namespace {

using std::chrono::milliseconds;

/// Rolled back by the end of the connection where it does not come to its end.
class Transaction {
 public:
  explicit Transaction(PgLink& link) : link_(link) {
    link_.run("begin isolation level read committed read write");
    link_.run("select set_config('lock_timeout', '5s', true)");
  }
  void commit() { link_.run("commit"); }

 private:
  PgLink& link_;
};

std::optional<KeyView> lock_key(PgLink& link, const std::string& key, const PgMoment& moment) {
  static const std::string sql =
      "select " + std::string(row_columns) + " from sms_idempotency t where t.key = $1 for update";
  const auto result = link.run(sql, PgParameters().text(key));
  if (result.rows() == 0) return std::nullopt;
  const auto row = read_row(result, 0, 0);
  return row.expired(moment.now) ? std::nullopt : std::optional(view_of(row, moment));
}

/// Rows of writers that do not know the column are looked through, too.
bool id_in_use(PgLink& link, const ResolveRequest& request, const PgMoment& moment) {
  static const std::string sql = "select " + std::string(row_columns) +
                                 " from sms_idempotency t where t.key <> $2 and t.state = 'accepted' and "
                                 "(t.provider_id = $1 or (t.reservation_id is null and "
                                 "t.record -> 'result' ->> 'providerId' = $1))";
  const auto result = link.run(sql, PgParameters().text(request.provider_id).text(request.key));
  for (int i = 0; i < result.rows(); ++i) {
    const auto row = read_row(result, i, 0);
    if (row.expired(moment.now)) continue;
    const auto record = record_of(row);
    const auto* accepted = std::get_if<AcceptedRecord>(&record);
    if (accepted != nullptr && accepted->result.provider == request.provider &&
        accepted->result.provider_id == request.provider_id) {
      return true;
    }
  }
  return false;
}

void write_accepted(PgLink& link, const ResolveRequest& request, const KeyView& seen, const PgMoment& moment) {
  const FinalIdempotencyRecord record =
      resolved_record(seen.record, request.provider, request.provider_id, message_id_of(seen.reservation_id));
  link.run(
      "update sms_idempotency set fingerprint = $2, state = 'accepted', reserved_at = null, record = $3::jsonb, "
      "expires_at = $4::bigint, updated_at = $5::bigint, provider_id = $6 where key = $1",
      PgParameters()
          .text(request.key)
          .text(fingerprint_of(record))
          .text(safe_json(to_json(record)))
          .number(in_ms(moment.now + request.ttl))
          .number(in_ms(moment.now))
          .text(safe_text(request.provider_id)));
}

}  // namespace

OperatorResult resolve_key(PgLink& link, const ResolveRequest& request) {
  Transaction transaction(link);
  // Two operators must not give one ID to two keys.
  link.run("select pg_advisory_xact_lock(1397576516, hashtext($1))", PgParameters().text(request.provider_id));
  const auto moment = moment_of(link);
  const auto seen = lock_key(link, request.key, moment);
  auto result = may_resolve(seen, request);
  if (result == OperatorResult::done && id_in_use(link, request, moment)) result = OperatorResult::id_in_use;
  if (result == OperatorResult::done) {
    write_accepted(link, request, *seen, moment);
    write_audit(link, request.key, request.note, audit_action(request), to_json(seen->record));
  }
  transaction.commit();
  return result;
}

OperatorResult release_key(PgLink& link, const ReleaseRequest& request) {
  Transaction transaction(link);
  const auto moment = moment_of(link);
  const auto seen = lock_key(link, request.key, moment);
  const auto result = may_release(seen, request, moment.stale_after);
  if (result == OperatorResult::done) {
    link.run("delete from sms_idempotency where key = $1", PgParameters().text(request.key));
    write_audit(link, request.key, request.note, audit_action(request), to_json(seen->record));
  }
  transaction.commit();
  return result;
}

std::size_t purge_keys(PgLink& link, std::size_t limit) {
  // The condition stands in the deletion itself: with it in the subselect alone, a reservation that took over an
  // expired row meanwhile would be deleted. In a transaction of its own, since it relies on READ COMMITTED.
  static const std::string sql = [] {
    const std::string expired = "state in ('accepted', 'rejected') and expires_at <= " + std::string(server_time);
    return "delete from sms_idempotency where " + expired +
           " and ctid = any(array(select ctid from sms_idempotency where " + expired +
           " order by expires_at limit $1::bigint for update skip locked))";
  }();
  constexpr std::size_t most = std::numeric_limits<std::int32_t>::max();
  Transaction transaction(link);
  const auto result = link.run(sql, PgParameters().number(static_cast<std::int64_t>(std::min(limit, most))));
  transaction.commit();
  return static_cast<std::size_t>(result.affected());
}

void write_audit(PgLink& link, std::string_view key, const OperatorNote& note, std::string_view action,
                 std::string_view before) {
  static const std::string sql = "insert into sms_audit (at, key, who, action, why, before) values (" +
                                 std::string(server_time) + ", $1, $2, $3, $4, $5)";
  link.run(sql, PgParameters()
                    .text(key)
                    .text(safe_text(note.who))
                    .text(action)
                    .text(safe_text(note.why))
                    .text(safe_json(before)));
}

}  // namespace sms::detail
