#include "integration/process.hpp"
#include "support/temporary_folder.hpp"
#include "unit/stores/store_calls.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/wait.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <sstream>
#include <thread>

namespace sms::tests {
namespace {

using std::chrono::milliseconds;

class ProcessesOnOneSqliteFile : public ::testing::Test {
 protected:
  std::unique_ptr<Process> claimer(const std::string& owner, int keys, const std::string& mode = "reserve") {
    return std::make_unique<Process>(std::vector<std::string>{SMS_CLAIMER, path, owner, std::to_string(keys), mode});
  }

  static std::vector<int> numbers(const std::string& text) {
    std::istringstream lines(text);
    return {std::istream_iterator<int>(lines), {}};
  }

  std::string integrity() const {
    sqlite3* database = nullptr;
    std::string answer;
    if (sqlite3_open(path.c_str(), &database) == SQLITE_OK) {
      sqlite3_exec(
          database, "pragma integrity_check",
          [](void* out, int, char** column, char**) {
            *static_cast<std::string*>(out) += column[0];
            return 0;
          },
          &answer, nullptr);
    }
    sqlite3_close(database);
    return answer;
  }

  TemporaryFolder folder;
  std::string path = folder.file("keys.db");
};

TEST_F(ProcessesOnOneSqliteFile, race_for_the_same_keys_and_each_key_has_one_winner) {
  constexpr int keys = 300;
  std::map<std::string, std::unique_ptr<Process>> processes;
  for (const char* owner : {"a", "b", "c", "d", "e", "f"}) processes[owner] = claimer(owner, keys);

  std::map<int, std::string> winners;
  for (auto& [owner, process] : processes) {
    for (const int key : numbers(process->finish())) EXPECT_TRUE(winners.emplace(key, owner).second) << key;
    EXPECT_TRUE(WIFEXITED(process->status()) && WEXITSTATUS(process->status()) == 0) << owner;
  }
  EXPECT_EQ(winners.size(), std::size_t{keys});
  const auto store = open_store(path);
  for (const auto& [key, owner] : winners) EXPECT_EQ(holder(*store, "key " + std::to_string(key)), an_id(owner));
  EXPECT_EQ(integrity(), "ok");
}

TEST_F(ProcessesOnOneSqliteFile, threads_of_two_stores_in_one_process_exclude_each_other) {
  constexpr int keys = 100;
  const std::shared_ptr<IdempotencyStore> stores[] = {open_store(path), open_store(path)};
  std::vector<std::future<Expected<ReserveResult>>> answers;
  for (int i = 0; i < keys; ++i) {
    for (const char* owner : {"a", "b"}) {
      answers.push_back(ask_reserve(*stores[*owner == 'a' ? 0 : 1], "key " + std::to_string(i), owner));
    }
  }
  int won = 0;
  for (auto& answer : answers) won += claimed(answer.get()) ? 1 : 0;
  EXPECT_EQ(won, keys);
}

TEST_F(ProcessesOnOneSqliteFile, killed_writers_leave_a_sound_file_with_all_that_they_were_answered) {
  for (int round = 0; round < 6; ++round) {
    const std::string owners[] = {"a" + std::to_string(round), "b" + std::to_string(round)};
    std::unique_ptr<Process> processes[] = {claimer(owners[0], 100'000, "finalize"), claimer(owners[1], 100'000)};
    std::this_thread::sleep_for(milliseconds(40 + 23 * round));
    for (auto& process : processes) process->signal(SIGKILL);

    std::string printed[2];
    for (int i = 0; i < 2; ++i) printed[i] = processes[i]->finish();
    ASSERT_EQ(integrity(), "ok");
    const auto store = open_store(path);
    // A line that the kill has cut short is the last one.
    for (int i = 0; i < 2; ++i)
      printed[i].resize(printed[i].rfind('\n') == std::string::npos ? 0 : printed[i].rfind('\n'));
    for (const int key : numbers(printed[0])) {
      const auto record = stored(*store, "key " + std::to_string(key));
      ASSERT_TRUE(record.has_value()) << key;
      EXPECT_EQ(state_of(*record), RecordState::accepted) << key;
    }
    for (const int key : numbers(printed[1])) EXPECT_EQ(holder(*store, "key " + std::to_string(key)), an_id(owners[1]));
  }
}

TEST_F(ProcessesOnOneSqliteFile, stopped_writer_keeps_nobody_waiting_for_longer_than_busy_timeout) {
  const auto store = open_store(path, milliseconds(300));
  const auto process = claimer("a", 1'000'000);
  bool met = false;
  // Until it was stopped with the lock in its hands.
  for (int i = 0; i < 200 && !met; ++i) {
    std::this_thread::sleep_for(milliseconds(5));
    process->signal(SIGSTOP);
    ASSERT_TRUE(process->wait_stopped());
    const auto key = "mine " + std::to_string(i);
    const auto begin = std::chrono::steady_clock::now();
    const auto answer = reserve(*store, key, "b");
    const auto took = std::chrono::steady_clock::now() - begin;
    EXPECT_LT(took, std::chrono::seconds(2));
    process->signal(SIGCONT);
    if (claimed(answer)) continue;
    met = true;
    EXPECT_TRUE(unavailable(answer));
    EXPECT_GE(took, milliseconds(300));
    std::this_thread::sleep_for(milliseconds(100));
    EXPECT_FALSE(stored(*store, key).has_value()) << "must not be done after it was answered as failed";
  }
  EXPECT_TRUE(met);
}

TEST_F(ProcessesOnOneSqliteFile, another_program_in_a_transaction_makes_the_store_unavailable_with_nothing_changed) {
  const auto store = open_store(path, milliseconds(200));
  ASSERT_TRUE(claimed(reserve(*store, "old key", "a")));
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &other), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(other, "begin immediate", nullptr, nullptr, nullptr), SQLITE_OK);
  std::vector<std::future<Expected<ReserveResult>>> answers;
  for (int i = 0; i < 8; ++i) answers.push_back(ask_reserve(*store, "key " + std::to_string(i), "a"));
  for (auto& answer : answers) EXPECT_TRUE(unavailable(answer.get()));
  EXPECT_TRUE(unavailable(accept(*store, "old key", "a")));
  EXPECT_EQ(holder(*store, "old key"), an_id("a")) << "what can be read is still answered";
  ASSERT_EQ(sqlite3_exec(other, "commit", nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(other);
  std::this_thread::sleep_for(milliseconds(50));
  for (int i = 0; i < 8; ++i) EXPECT_FALSE(stored(*store, "key " + std::to_string(i)).has_value());
  EXPECT_EQ(accept(*store, "old key", "a").value(), FinalizeResult::finalized);
}

TEST_F(ProcessesOnOneSqliteFile, operators_shell_that_leaves_takes_no_log_from_under_a_store) {
  const auto store = open_store(path);
  // A second store of the process comes and goes, as a command inside a server may.
  open_store(path);
  ASSERT_TRUE(claimed(reserve(*store, "before", "a")));
  // The last connection to leave removes the log, unless it sees that others are there.
  ASSERT_EQ(std::system((std::string(SMS_CLAIMER) + " --shell '" + path + "'").c_str()), 0);
  EXPECT_TRUE(std::filesystem::exists(path + "-wal"));
  ASSERT_TRUE(claimed(reserve(*store, "after", "a")));

  const auto process = claimer("b", 1);
  EXPECT_EQ(process->finish(), "0\n");
  EXPECT_EQ(holder(*store, "key 0"), an_id("b"));
  const auto seen = open_store(path);
  EXPECT_EQ(holder(*seen, "after"), an_id("a"));
}

}  // namespace
}  // namespace sms::tests
