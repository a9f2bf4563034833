#include "stores/postgres/checks.hpp"

#include "stores/postgres/answer.hpp"
#include "stores/postgres/statements.hpp"

namespace sms::detail {
namespace {

constexpr std::int64_t oldest_version = 120'000;

const std::string& server_sql() {
  static const std::string sql =
      "select current_setting('server_version_num')::bigint, pg_is_in_recovery(), "
      "current_setting('default_transaction_read_only')::boolean, current_setting('server_encoding'), "
      "current_setting('synchronous_commit'), current_setting('default_transaction_isolation'), "
      "to_regclass('sms_store') is not null and to_regclass('sms_audit') is not null and "
      "(select count(*) from pg_attribute where attrelid = to_regclass('sms_idempotency') and not attisdropped and "
      "attname in ('key', 'fingerprint', 'state', 'reservation_id', 'reserved_at', 'record', 'expires_at', "
      "'updated_at', "
      "'provider_id')) = 9, " +
      std::string(server_time);
  return sql;
}

}  // namespace

std::optional<std::string> PgServer::value(const std::string& name) const {
  const auto found = values.find(name);
  return found == values.end() ? std::nullopt : std::optional(found->second);
}

bool PgServer::moved() const {
  const auto known = value(std::string(history_name));
  return known && !history.empty() && *known != history;
}

PgServer look_at(PgLink& link) {
  PgServer server;
  const auto facts = link.run(server_sql());
  server.seen = BootClock::now();
  server.version = facts.integer(0, 0);
  server.in_recovery = facts.boolean(0, 1);
  server.read_only = facts.boolean(0, 2);
  server.encoding = facts.text(0, 3);
  server.synchronous_commit = facts.text(0, 4);
  server.isolation = facts.text(0, 5);
  server.has_tables = facts.boolean(0, 6);
  server.time = WallTime(std::chrono::milliseconds(facts.integer(0, 7)));
  if (server.has_tables) {
    const auto values = link.run("select name, value from sms_store");
    for (int i = 0; i < values.rows(); ++i) server.values[values.text(i, 0)] = values.text(i, 1);
  }
  if (server.in_recovery) return server;
  try {
    static const std::string sql = "select " + std::string(timeline_sql) +
                                   ", (select system_identifier::text from pg_control_system()) || ':' || " +
                                   std::string(timeline_sql);
    const auto history = link.run(sql);
    server.timeline = history.text(0, 0);
    server.history = history.text(0, 1);
  } catch (const PgFailure& failure) {
    // Some hosted servers forbid it.
    if (failure.state().empty()) throw;
  }
  return server;
}

void check_server(const PgServer& server) {
  if (server.version < oldest_version) throw PgRefusal("the server is older than PostgreSQL 12");
  if (server.in_recovery) throw PgRefusal("the server is a read replica (in recovery)");
  if (server.read_only) throw PgRefusal("default_transaction_read_only is on for this role or database");
  if (server.encoding != "UTF8") throw PgRefusal("the database is not encoded in UTF8");
  if (!server.has_tables || server.identity().empty()) {
    throw PgRefusal("its tables are missing or of an older version; run: sms-sdk keys migrate");
  }
}

}  // namespace sms::detail
