#include "unit/stores/store_calls.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <string_view>
#include <vector>

// Claims the keys "key 0" to "key <count - 1>" of one file, as one of several processes, and prints those that it owns:
//   claimer <file> <owner> <count> [finalize]
// Or looks at the file with SQLite itself, as an operator's shell does, and leaves:
//   claimer --shell <file>
int main(int argc, char** argv) {
  using namespace sms::tests;
  if (argc == 3 && std::string_view(argv[1]) == "--shell") {
    sqlite3* database = nullptr;
    const bool opened =
        sqlite3_open(argv[2], &database) == SQLITE_OK &&
        sqlite3_exec(database, "select count(*) from sms_idempotency", nullptr, nullptr, nullptr) == SQLITE_OK;
    return sqlite3_close(database) == SQLITE_OK && opened ? 0 : 1;
  }
  if (argc < 4) return 2;
  const std::string owner = argv[2];
  const int count = std::atoi(argv[3]);
  const bool finalize = argc > 4 && std::string_view(argv[4]) == "finalize";
  const auto store = open_store(argv[1], std::chrono::seconds(60));

  constexpr int in_flight = 16;
  for (int from = 0; from < count; from += in_flight) {
    std::vector<std::future<sms::Expected<sms::ReserveResult>>> answers;
    const int to = std::min(from + in_flight, count);
    for (int i = from; i < to; ++i) answers.push_back(ask_reserve(*store, "key " + std::to_string(i), owner));
    for (int i = from; i < to; ++i) {
      const auto key = "key " + std::to_string(i);
      const auto answer = answers[static_cast<std::size_t>(i - from)].get();
      if (!answer) {
        std::fprintf(stderr, "%s\n", answer.error().what());
        return 1;
      }
      if (!claimed(answer)) continue;
      if (finalize && accept(*store, key, owner).value() != sms::FinalizeResult::finalized) return 1;
      std::printf("%d\n", i);
      std::fflush(stdout);
    }
  }
  return 0;
}
