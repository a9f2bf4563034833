// Pairs of claim and final record per second for each store, beside the limit of what it stands on, in the same run:
// the ratio counts, not the figure of this machine.

#include <sms/stores/memory.hpp>
#include <sms/stores/sqlite.hpp>

#include "bench/fsync_rate.hpp"
#include "bench/report.hpp"
#include "bench/store_load.hpp"
#include "support/temporary_folder.hpp"
#include "testing/store_probe.hpp"
#ifdef SMS_BENCH_POSTGRES
#include <sms/stores/postgres.hpp>

#include "bench/peers.hpp"
#include "servers/postgres_server.hpp"
#endif
#ifdef SMS_BENCH_REDIS
#include <sms/stores/redis.hpp>

#include "bench/peers.hpp"
#include "servers/redis_server.hpp"
#include "stores/redis/scripts.hpp"
#endif

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string_view>

namespace {

using namespace std::chrono_literals;
using sms::bench::Row;

double pairs(sms::IdempotencyStore& store, std::size_t in_flight, std::string prefix) {
  sms::bench::Load load;
  load.in_flight = in_flight;
  load.key_prefix = std::move(prefix);
  return run(store, load).per_second;
}

/// Claims of an accepted key beside reads of it.
Row replays(sms::IdempotencyStore& store, const std::string& name) {
  sms::testing::StoreProbe probe([&store] { return std::shared_ptr<sms::IdempotencyStore>(&store, [](auto*) {}); });
  probe.store_final("replayed", "owner", sms::testing::accepted());
  const auto reads = sms::bench::run_gets(store, "replayed", 1s);
  const auto repeats = sms::bench::run_replays(store, "replayed", 1s);
  return {name + ": replay of an accepted key", repeats.per_second, "1/s", "one read", reads.per_second, 0.8};
}

void measure_memory(std::vector<Row>& rows, const std::string&) {
  const auto store = sms::memory_idempotency_store();
  rows.push_back({"memory: pairs, 1 in flight", pairs(*store, 1, "a"), "1/s", "", 0, std::nullopt});
  rows.push_back(replays(*store, "memory"));
}

void measure_sqlite(std::vector<Row>& rows, const std::string& folder) {
  const double limit = sms::bench::fsync_rate(folder, 2s);
  sms::SqliteOptions options;
  options.path = folder + "/keys.db";
  const auto store = sms::sqlite_idempotency_store(options);
  rows.push_back({"sqlite: pairs, 64 in flight", pairs(*store, 64, "a"), "1/s", "fsyncs of this disk", limit, 10.0});
  rows.push_back(
      {"sqlite: pairs, 1 in flight", pairs(*store, 1, "b"), "1/s", "fsyncs of this disk", limit, std::nullopt});
  rows.push_back(replays(*store, "sqlite"));
}

#ifdef SMS_BENCH_POSTGRES
/// What a program without the library would execute for a claim and for its outcome.
constexpr std::string_view claim_sql = R"sql(\set n random(1, 1000000000000)
insert into sms_idempotency as t (key, fingerprint, state, reservation_id, reserved_at, updated_at)
  values ('bench:' || :n, repeat('a', 64), 'reserved', :n::text, 1, 1)
  on conflict (key) do update set reservation_id = case when t.state = 'rejected' then excluded.reservation_id
    else t.reservation_id end returning reservation_id;
)sql";
constexpr std::string_view final_sql = R"sql(
update sms_idempotency set state = 'accepted', reserved_at = null, expires_at = 99999999999999, updated_at = 2,
    provider_id = 'bench', record = '@record@'::jsonb
  where key = 'bench:' || :n and state = 'reserved' and reservation_id = :n::text returning key;
)sql";

/// pgbench takes a colon with a word behind it for a variable.
std::string without_variables(const std::string& json) {
  std::string text;
  for (const char c : json) text += c == ':' ? std::string(": ") : std::string(1, c);
  return text;
}

void measure_postgres(std::vector<Row>& rows, const std::string& folder) {
  sms::tests::PostgresServer server(sms::tests::PostgresServer::Disk::flushed);
  const auto database = server.new_database();
  sms::bench::PgbenchLoad load{folder, database, server.folder(), server.port(), {}, 16, 3};
  std::string pair(final_sql);
  const std::string_view mark = "@record@";
  pair.replace(pair.find(mark), mark.size(), without_variables(to_json(sms::testing::accepted("bench"))));
  load.script = std::string(claim_sql) + pair;
  const double peer_pairs = pgbench_rate(load);
  load.clients = 1;
  const double peer_pair_alone = pgbench_rate(load);

  const auto store = sms::postgres_idempotency_store(sms::postgres_options(server.url(database)));
  pairs(*store, 16, "warm");
  sms::bench::Load claims;
  claims.in_flight = 256;
  claims.finalize = false;
  claims.key_prefix = "claim";
  const auto claimed = run(*store, claims);
  rows.push_back({"postgres: claims alone, 256 in flight", claimed.per_second, "1/s", "30,000", 30'000, 1.0});
  const double ours = pairs(*store, 256, "pair");
  rows.push_back({"postgres: pairs, 256 in flight", ours, "1/s", "pgbench, 16 clients, prepared", peer_pairs,
                  std::min(3.0, 15'000 / peer_pairs)});
  rows.push_back({"postgres: pairs, 16 in flight", pairs(*store, 16, "few"), "1/s", "pgbench, 16 clients, prepared",
                  peer_pairs, std::nullopt});
  rows.push_back({"postgres: pairs, 1 in flight", pairs(*store, 1, "one"), "1/s", "pgbench, 1 client, prepared",
                  peer_pair_alone, 1 / 1.3});
  rows.push_back(replays(*store, "postgres"));
  rows.back().bar.reset();
}
#endif

#ifdef SMS_BENCH_REDIS
void measure_redis(std::vector<Row>& rows, const std::string&) {
  sms::tests::RedisServer server;
  const auto& script = sms::detail::RedisScripts::reserve();
  server.ask({"SCRIPT", "LOAD", script.text});
  const std::vector<std::string> command = {"EVALSHA", script.sha, "1",     "bench:{__rand_int__}",
                                            "nonce",   "",         "owner", std::string(64, 'a')};
  constexpr std::size_t requests = 150'000;
  const double peer = sms::bench::redis_benchmark_rate(server.port(), 16, 16, requests, command);
  const double peer_alone = sms::bench::redis_benchmark_rate(server.port(), 1, 1, requests / 10, command);

  const auto store = sms::redis_idempotency_store(sms::redis_options(server.url()));
  sms::bench::Load claims;
  claims.finalize = false;
  claims.in_flight = 256;
  claims.key_prefix = "claim";
  rows.push_back({"redis: claims alone, 256 in flight", run(*store, claims).per_second, "1/s",
                  "redis-benchmark, 16 x 16, same script", peer, 0.8});
  rows.push_back({"redis: pairs, 256 in flight", pairs(*store, 256, "pair"), "1/s", "", 0, std::nullopt});
  claims.in_flight = 1;
  claims.key_prefix = "one";
  rows.push_back({"redis: claims alone, 1 in flight", run(*store, claims).per_second, "1/s",
                  "redis-benchmark, 1 client, same script", peer_alone, 1 / 1.3});
  rows.push_back(replays(*store, "redis"));
  rows.back().bar.reset();
}
#endif

struct Subject {
  std::string_view name;
  void (*measure)(std::vector<Row>& rows, const std::string& folder);
};
constexpr Subject subjects[] = {
    {"memory", measure_memory},
    {"sqlite", measure_sqlite},
#ifdef SMS_BENCH_POSTGRES
    {"postgres", measure_postgres},
#endif
#ifdef SMS_BENCH_REDIS
    {"redis", measure_redis},
#endif
};

}  // namespace

int main(int count, char** values) {
  CLI::App program("Measures the stores beside the limits of what they stand on");
  std::string json_file;
  std::vector<std::string> only;
  program.add_option("--json", json_file, "Also writes the rows as JSON into this file");
  program.add_option("--only", only, "Which stores; all when not given");
  CLI11_PARSE(program, count, values);
  const sms::tests::TemporaryFolder folder;
  std::vector<Row> rows;
  for (const auto& subject : subjects) {
    if (only.empty() || std::ranges::find(only, subject.name) != only.end()) {
      subject.measure(rows, folder.path().string());
    }
  }
  std::cout << as_table(rows);
  if (!json_file.empty()) std::ofstream(json_file) << as_json(rows) << '\n';
  return EXIT_SUCCESS;
}
