#include "stores/postgres/statements.hpp"

#include <array>
#include <initializer_list>

namespace sms::detail {
namespace {

std::string text(std::initializer_list<std::string_view> pieces) {
  std::string joined;
  for (const auto piece : pieces) joined += piece;
  return joined;
}

/// One row: takes effect for this transaction alone, before the first row of the table is touched. A claim that a power
/// cut undoes is a second message, so that synchronous_commit is on at least.
std::string guard(bool timeline_known) {
  return text(
      {"select set_config('lock_timeout', $1, true), case current_setting('synchronous_commit') when 'off' then "
       "set_config('synchronous_commit', 'on', true) end, ",
       server_time, " as ms, (select value from sms_store where name = 'identity') = $4 and ",
       timeline_known ? timeline_sql : "$5", " = $5 as ok offset 0"});
}

/// The columns of a row that may be absent.
std::string found_columns() { return text({"q.key, ", row_columns.substr(row_columns.find("t.fingerprint"))}); }

std::string in_time() { return text({server_time, " < $3::bigint"}); }

std::string reserve(bool timeline_known) {
  const std::string late_excluded = in_time();
  const std::string claim =
      text({"(((t.state in ('accepted', 'rejected') and t.expires_at <= excluded.reserved_at) or "
            "(t.state = 'rejected' and t.fingerprint = excluded.fingerprint)) and ",
            late_excluded, ")"});
  const auto column = [&](std::string_view name, std::string_view value) {
    return text({name, " = case when ", claim, " then ", value, " else t.", name, " end"});
  };
  // Every conflict writes the row, so that the answer rests on a commit also where the claim is repeated.
  return text(
      {"insert into sms_idempotency as t (key, fingerprint, state, reservation_id, reserved_at, updated_at) "
       "select q.key, q.fingerprint, 'reserved', q.reservation_id, g.ms, g.ms from (",
       guard(timeline_known),
       ") g, unnest($6::text[], $7::text[], $8::text[]) q (key, fingerprint, reservation_id) "
       "where g.ok and ",
       in_time(),
       " on conflict (key) do update set ",
       column("fingerprint", "excluded.fingerprint"),
       ", ",
       column("state", "'reserved'"),
       ", ",
       column("reservation_id", "excluded.reservation_id"),
       ", ",
       column("reserved_at", "excluded.reserved_at"),
       ", ",
       column("record", "null"),
       ", ",
       column("expires_at", "null"),
       ", ",
       column("updated_at", "excluded.updated_at"),
       ", ",
       column("provider_id", "null"),
       " returning $2, ",
       server_time,
       ", false, false, ",
       row_columns});
}

/// `write` has the arrays as `q` and answers the keys that it wrote.
std::string written(bool timeline_known, std::string_view arrays, std::string_view names, std::string_view write,
                    std::string_view already) {
  return text({"with g as materialized (", guard(timeline_known), "), q as (select * from unnest(", arrays, ") q (",
               names, ")), w as (", write, ") select $2, ", server_time, ", w.key is not null, ", already, ", ",
               found_columns(),
               " from g cross join q left join w on w.key = q.key left join sms_idempotency t on t.key = q.key "
               "where g.ok"});
}

constexpr std::string_view final_arrays =
    "$6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[]";
constexpr std::string_view final_names = "key, reservation_id, fingerprint, state, record, ttl, send_at, provider_id";
constexpr std::string_view expiry =
    "case q.state when 'unknown' then null else greatest(g.ms, q.send_at::bigint) + q.ttl::bigint end";

std::string update_final(std::string_view condition) {
  return text(
      {"update sms_idempotency t set fingerprint = q.fingerprint, state = q.state, reservation_id = "
       "q.reservation_id, reserved_at = null, record = q.record::jsonb, expires_at = ",
       expiry, ", updated_at = g.ms, provider_id = q.provider_id from g, q where g.ok and t.key = q.key and ",
       condition, " returning t.key"});
}

std::string sql_of(PgStatement statement, bool timeline_known) {
  switch (statement) {
    case PgStatement::look:
      return text(
          {"select $2, ", server_time, ", false, false, ", found_columns(), " from (", guard(timeline_known),
           ") g cross join unnest($6::text[]) q (key) left join sms_idempotency t on t.key = q.key where g.ok"});
    case PgStatement::reserve:
      return reserve(timeline_known);
    case PgStatement::finalize:
      return written(timeline_known, final_arrays, final_names,
                     update_final("t.state = 'reserved' and t.reservation_id = q.reservation_id"),
                     "coalesce(t.reservation_id = q.reservation_id and t.state = q.state and t.record = "
                     "q.record::jsonb, false)");
    case PgStatement::mark:
      return written(timeline_known, "$6::text[], $7::text[], $8::text[]", "key, reservation_id, record",
                     "update sms_idempotency t set record = q.record::jsonb from g, q where g.ok and t.key = q.key and "
                     "t.state = 'reserved' and t.reservation_id = q.reservation_id returning t.key",
                     "false");
    case PgStatement::settle_row:
      return written(timeline_known, text({final_arrays, ", $14::text[]"}), text({final_names, ", version"}),
                     update_final(text({"t.xmin::text = q.version and ", in_time()})), "false");
    case PgStatement::settle_new:
      return written(
          timeline_known, final_arrays, final_names,
          text({"insert into sms_idempotency as t (key, fingerprint, state, reservation_id, record, expires_at, "
                "updated_at, provider_id) select q.key, q.fingerprint, q.state, q.reservation_id, "
                "q.record::jsonb, ",
                expiry, ", g.ms, q.provider_id from g, q where g.ok and ", in_time(),
                " on conflict (key) do nothing returning t.key"}),
          "false");
  }
  return {};
}

}  // namespace

const std::string& statement_sql(PgStatement statement, bool timeline_known) {
  static const auto all = [] {
    std::array<std::array<std::string, 2>, pg_statements> made;
    for (std::size_t i = 0; i < pg_statements; ++i) {
      made[i] = {sql_of(static_cast<PgStatement>(i), false), sql_of(static_cast<PgStatement>(i), true)};
    }
    return made;
  }();
  return all[static_cast<std::size_t>(statement)][timeline_known ? 1 : 0];
}

const std::string& remembering_reserve_sql(bool timeline_known) {
  const auto make = [](bool known) {
    return text(
        {"with r (nonce, now, done, already, key, fingerprint, state, reservation_id, reserved_at, record, "
         "expires_at, updated_at, version) as (",
         reserve(known),
         "), remembered as (insert into sms_store as s (name, value) select 'stale_reservation_ms', $9 where "
         "exists (select from r join unnest($6::text[], $8::text[]) c (key, reservation_id) using (key, "
         "reservation_id) where r.state = 'reserved') on conflict (name) do update set value = excluded.value "
         "where s.value::bigint < excluded.value::bigint) select * from r"});
  };
  static const std::array<std::string, 2> made = {make(false), make(true)};
  return made[timeline_known ? 1 : 0];
}

}  // namespace sms::detail
