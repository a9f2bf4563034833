#include "stores/postgres/maintenance.hpp"

#include "stores/postgres/operators.hpp"
#include "stores/postgres/schema.hpp"

#include <utility>

namespace sms::detail {
namespace {

using Level = StoreFinding::Level;

/// Building an index on a large table takes its time.
constexpr auto migration_timeout = std::chrono::hours(6);

std::string setting(PgLink& link, const std::string& name) {
  const auto result = link.run("select current_setting($1, true)", PgParameters().text(name));
  return result.text(0, 0);
}

/// A concurrent build that was interrupted leaves an index that is there and of no use.
std::vector<std::string> broken_indexes(PgLink& link) {
  std::vector<std::string> broken;
  for (const auto index : postgres_indexes) {
    const auto result = link.run("select 1 from pg_index where indexrelid = to_regclass($1) and not indisvalid",
                                 PgParameters().text(index));
    if (result.rows() > 0) broken.emplace_back(index);
  }
  return broken;
}

std::vector<std::string> missing_indexes(PgLink& link) {
  std::vector<std::string> missing = broken_indexes(link);
  for (const auto index : postgres_indexes) {
    const auto result = link.run("select to_regclass($1) is null", PgParameters().text(index));
    if (result.boolean(0, 0)) missing.emplace_back(index);
  }
  return missing;
}

void examine_durability(PgLink& link, const PgServer& server, std::vector<StoreFinding>& findings) {
  if (server.synchronous_commit == "off") {
    findings.push_back({Level::warning, "durability",
                        "synchronous_commit is off for this role; the store switches it on for its own commits, other "
                        "writers of the table do not"});
  }
  for (const std::string name : {"fsync", "full_page_writes"}) {
    if (setting(link, name) == "off") {
      findings.push_back({Level::problem, "durability", name + " is off: a power cut can lose claims or the table"});
    }
  }
  if (findings.empty() || findings.back().topic != "durability") {
    findings.push_back({Level::fine, "durability", "commits reach the disk before they are answered"});
  }
  const auto standbys = setting(link, "synchronous_standby_names");
  const bool replicated =
      !standbys.empty() && server.synchronous_commit != "local" && server.synchronous_commit != "off";
  findings.push_back(replicated ? StoreFinding{Level::fine, "replication", "commits wait for a synchronous standby"}
                                : StoreFinding{Level::warning, "replication",
                                               "no commit waits for a standby (synchronous_standby_names is empty or "
                                               "not waited for): asynchronous replicas can lose claims at a failover"});
}

void examine_history(const PgServer& server, const PgHome& home, std::vector<StoreFinding>& findings) {
  if (server.history.empty()) {
    findings.push_back({Level::warning, "history", "the server does not tell its timeline: a restore goes unnoticed"});
  } else if (server.moved()) {
    const bool accepted = home.options().after_failover == PostgresOptions::AfterFailover::accept;
    findings.push_back({accepted ? Level::warning : Level::problem, "history",
                        "the server's history is another one than before (failover or restore): claims may be missing; "
                        "look into it, then acknowledge the restore"});
  } else {
    findings.push_back({Level::fine, "history", "the server's history is the one that is known"});
  }
}

void examine_server(PgHome& home, std::vector<StoreFinding>& findings) {
  auto link = home.connect(home.connect_deadline());
  link.set_deadline(BootClock::now() + std::chrono::seconds(30));
  const auto server = look_at(link);
  findings.push_back(
      {Level::fine, "reachability", "PostgreSQL " + std::to_string(server.version / 10'000) + " answers"});
  try {
    check_server(server);
  } catch (const PgRefusal& refusal) {
    findings.push_back({Level::problem, server.has_tables ? "server" : "schema", refusal.what()});
    return;
  }
  const auto missing = missing_indexes(link);
  if (missing.empty()) {
    findings.push_back({Level::fine, "schema", "tables and indexes are there"});
  } else {
    findings.push_back({Level::warning, "schema",
                        "the index " + missing.front() +
                            " is missing or not valid; run: "
                            "sms-sdk keys migrate"});
  }
  if (server.isolation != "read committed") {
    findings.push_back(
        {Level::warning, "isolation",
         "default_transaction_isolation is " + server.isolation +
             ": the store sets its own, which costs it a little; a TypeScript store meets errors 40001"});
  }
  examine_durability(link, server, findings);
  examine_history(server, home, findings);
}

}  // namespace

void migrate_store(PgHome& home) {
  auto link = home.connect(home.connect_deadline());
  link.set_deadline(BootClock::now() + migration_timeout);
  const auto server = look_at(link);
  if (server.in_recovery) throw PgFailure("the server is a read replica (in recovery)");
  for (const auto& index : broken_indexes(link)) link.run("drop index concurrently if exists " + index);
  for (const auto& statement : postgres_migration()) link.run(statement);
}

std::vector<StoreFinding> examine_store(PgHome& home) {
  std::vector<StoreFinding> findings;
  try {
    examine_server(home, findings);
  } catch (const PgFailure& failure) {
    findings.push_back({Level::problem, "reachability", failure.what()});
  }
  return findings;
}

void acknowledge_history(PgHome& home, const OperatorNote& note) {
  auto link = home.connect(home.connect_deadline());
  link.set_deadline(BootClock::now() + std::chrono::seconds(30));
  const auto server = look_at(link);
  check_server(server);
  link.run("begin isolation level read committed read write");
  link.run(
      "insert into sms_store (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value",
      PgParameters().text(history_name).text(server.history));
  write_audit(link, "", note, "acknowledge-restore", server.value(std::string(history_name)).value_or(""));
  link.run("commit");
}

}  // namespace sms::detail
