// Pairs of claim and final record per second for each store, beside the limit of what it stands on, in the same run:
// the ratio counts, not the figure of this machine.

#include <sms/stores/memory.hpp>
#include <sms/stores/sqlite.hpp>

#include "bench/fsync_rate.hpp"
#include "bench/report.hpp"
#include "bench/store_load.hpp"
#include "support/temporary_folder.hpp"
#include "testing/store_probe.hpp"

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

struct Subject {
  std::string_view name;
  void (*measure)(std::vector<Row>& rows, const std::string& folder);
};
constexpr Subject subjects[] = {{"memory", measure_memory}, {"sqlite", measure_sqlite}};

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
