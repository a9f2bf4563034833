#include "contract/process_race.hpp"
#include "support/child_process.hpp"
#include "unit/stores/sqlite_fixture.hpp"

#include <signal.h>

#include <map>
#include <random>
#include <set>
#include <thread>

namespace sms::tests {
namespace {

using ::testing::HasSubstr;

class SqliteProcesses : public SqliteTest {
 protected:
  std::unique_ptr<ChildProcess> worker(const std::string& what, const std::string& owner = "worker",
                                       const std::string& prefix = {}, int count = 0) {
    return std::make_unique<ChildProcess>(
        std::vector<std::string>{SMS_STORE_WORKER, what, path, owner, prefix, std::to_string(count)});
  }
  std::string count_of(const std::string& condition) {
    return RawDatabase(path).value("select count(*) from sms_idempotency where " + condition);
  }
  /// What the workers were told, by key.
  static std::map<std::string, std::string> answers_of(std::vector<std::unique_ptr<ChildProcess>>& workers) {
    std::map<std::string, std::string> answers;
    for (auto& one : workers) {
      for (const auto& line : one->read_all()) {
        const auto space = line.find(' ');
        answers[line.substr(space + 1)] = line.substr(0, space);
      }
    }
    return answers;
  }
};

TEST_F(SqliteProcesses, that_race_for_the_same_keys_have_one_winner_each) {
  constexpr int processes = 6;
  constexpr int keys = 150;
  std::vector<std::unique_ptr<ChildProcess>> workers;
  for (int i = 0; i < processes; ++i) workers.push_back(worker("claim", "owner" + std::to_string(i), "order:", keys));
  for (auto& one : workers) ASSERT_EQ(one->read_line(), "ready");
  for (auto& one : workers) one->write_line("go");

  std::map<std::string, std::string> winners;
  for (int i = 0; i < processes; ++i) {
    for (const auto& line : workers[static_cast<std::size_t>(i)]->read_all()) {
      ASSERT_THAT(line, ::testing::StartsWith("won "));
      EXPECT_TRUE(winners.emplace(line.substr(4), "owner" + std::to_string(i)).second) << line;
    }
  }
  EXPECT_EQ(winners.size(), static_cast<std::size_t>(keys));
  const auto store = open();
  for (const auto& [key, owner] : winners) {
    EXPECT_EQ(std::get<ReservedRecord>(*get(*store, key).value()).reservation_id, owner);
  }
}

TEST_F(SqliteProcesses, never_own_a_key_at_the_same_time) { expect_single_owners(SMS_STORE_WORKER, "sqlite:" + path); }

TEST_F(SqliteProcesses, that_are_killed_leave_a_sound_file_with_all_that_they_were_told) {
  const auto store = open();
  std::mt19937 random(20261201);
  for (int round = 0; round < 12; ++round) {
    std::vector<std::unique_ptr<ChildProcess>> workers;
    for (int i = 0; i < 3; ++i) {
      const auto owner = std::to_string(round) + "-" + std::to_string(i);
      workers.push_back(worker("churn", owner, owner + ":"));
      ASSERT_THAT(workers.back()->read_line(), HasSubstr("reserved "));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 60));
    for (auto& one : workers) one->signal(SIGKILL);
    for (const auto& [key, told] : answers_of(workers)) {
      const auto record = get(*store, key).value();
      ASSERT_TRUE(record) << told << " " << key;
      if (told == "accepted") {
        EXPECT_EQ(*record, to_record(accepted(key)));
      }
      EXPECT_NE(told, "failed") << key;
    }
  }
  EXPECT_EQ(RawDatabase(path).value("pragma integrity_check"), "ok");

  testing::StoreProbe::wait(5ms);
  std::size_t open_keys = 0;
  ListRequest all;
  all.limit = 1'000;
  all.now = testing::StoreProbe::now();
  for (const auto& view : store->operators()->list(all).keys) {
    EXPECT_TRUE(view.stale) << "nobody knows what became of it: an operator must see it";
    EXPECT_FALSE(claims(*store, view.key, "other"));
    ++open_keys;
  }
  EXPECT_EQ(std::to_string(open_keys), count_of("state = 'reserved'"));
}

TEST_F(SqliteProcesses, that_stop_while_they_hold_the_lock_stop_nobody_for_ever) {
  const auto store = open(200ms);
  ASSERT_TRUE(claims(*store, "accepted", owner_1));
  ASSERT_TRUE(finalizes(*store, finalize_request("accepted", owner_1, accepted())));
  {
    const auto holder = worker("hold");
    ASSERT_EQ(holder->read_line(), "held");
    const auto begin = std::chrono::steady_clock::now();
    const auto answer = reserve(*store, reserve_request("order:1", owner_1)).get();
    const auto waited = std::chrono::steady_clock::now() - begin;
    ASSERT_FALSE(answer);
    EXPECT_THAT(answer.error().what(), HasSubstr("another process"));
    EXPECT_GE(waited, 190ms);
    EXPECT_LT(waited, 5s);
    EXPECT_EQ(count_of("key = 'order:1'"), "0");
    const auto replay = reserve(*store, reserve_request("accepted", owner_2)).get();
    EXPECT_TRUE(replay && std::holds_alternative<Existing>(*replay)) << "who only reads needs no lock";
    EXPECT_THROW(open(200ms), StoreUnavailableError);
  }
  EXPECT_TRUE(claims(*store, "order:2", owner_1));
  EXPECT_EQ(count_of("key = 'order:1'"), "0") << "what failed must not be done later";
}

TEST_F(SqliteProcesses, that_stop_anywhere_and_go_on_later_damage_nothing) {
  const auto store = open(100ms);
  std::vector<std::unique_ptr<ChildProcess>> workers;
  for (const std::string owner : {"a", "b"}) workers.push_back(worker("churn", owner, owner + ":"));
  for (auto& one : workers) ASSERT_THAT(one->read_line(), HasSubstr("reserved "));
  std::mt19937 random(7);
  int claimed = 0;
  for (int round = 0; round < 30; ++round) {
    auto& stopped = *workers[static_cast<std::size_t>(round % 2)];
    stopped.signal(SIGSTOP);
    const auto key = "order:" + std::to_string(round);
    const auto answer = reserve(*store, reserve_request(key, owner_1)).get();
    if (answer) {
      ++claimed;
    } else {
      EXPECT_EQ(count_of("key = '" + key + "'"), "0");
    }
    stopped.signal(SIGCONT);
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 10));
  }
  for (auto& one : workers) one->signal(SIGKILL);
  for (const auto& [key, told] : answers_of(workers)) {
    EXPECT_NE(told, "failed") << key;
    if (told == "accepted") {
      EXPECT_EQ(get(*store, key).value(), to_record(accepted(key)));
    }
  }
  EXPECT_GT(claimed, 0);
  EXPECT_EQ(RawDatabase(path).value("pragma integrity_check"), "ok");
}

TEST_F(SqliteProcesses, take_turns) {
  std::vector<std::unique_ptr<ChildProcess>> workers;
  for (const std::string owner : {"a", "b", "c"}) workers.push_back(worker("churn", owner, owner + ":"));
  for (auto& one : workers) ASSERT_THAT(one->read_line(), HasSubstr("reserved "));
  std::this_thread::sleep_for(1s);
  std::vector<std::size_t> done;
  for (auto& one : workers) one->signal(SIGKILL);
  for (auto& one : workers) done.push_back(one->read_all().size());
  EXPECT_GT(*std::ranges::min_element(done) * 10, *std::ranges::max_element(done));
}

TEST_F(SqliteProcesses, that_do_not_know_the_lock_are_waited_for_with_a_bound) {
  const auto store = open(300ms);
  RawDatabase other(path);
  ASSERT_EQ(other.execute("begin immediate"), SQLITE_OK);
  const auto refused = reserve(*store, reserve_request("order:1", owner_1)).get();
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().what(), HasSubstr("another process or connection"));

  const auto waiting = reserve(*store, reserve_request("order:2", owner_1));
  testing::StoreProbe::wait(50ms);
  EXPECT_FALSE(waiting.answered());
  ASSERT_EQ(other.execute("commit"), SQLITE_OK);
  EXPECT_TRUE(waiting.get());
  EXPECT_EQ(count_of("key = 'order:1'"), "0");
  EXPECT_TRUE(claims(*store, "order:1", owner_2));
}

TEST_F(SqliteProcesses, that_write_into_the_tables_meanwhile_are_seen) {
  const auto store = open();
  ASSERT_TRUE(claims(*store, "order:1", owner_1));
  RawDatabase(path).execute("delete from sms_idempotency where key = 'order:1'");
  EXPECT_FALSE(finalizes(*store, finalize_request("order:1", owner_1, accepted())));
  EXPECT_TRUE(claims(*store, "order:1", owner_2));
}

TEST_F(SqliteProcesses, with_two_stores_on_one_file_have_one_winner_for_each_key) {
  const auto first = open();
  const auto second = open();
  std::vector<Pending<ReserveResult>> answers;
  for (int i = 0; i < 300; ++i) {
    answers.push_back(reserve(*first, reserve_request(std::to_string(i), owner_1)));
    answers.push_back(reserve(*second, reserve_request(std::to_string(i), owner_2)));
  }
  int won = 0;
  for (const auto& answer : answers) won += std::holds_alternative<Reserved>(answer.get().value()) ? 1 : 0;
  EXPECT_EQ(won, 300);
}

}  // namespace
}  // namespace sms::tests
