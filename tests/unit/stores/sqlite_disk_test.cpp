#include "unit/stores/faulty_vfs.hpp"
#include "unit/stores/sqlite_fixture.hpp"

#include <condition_variable>
#include <filesystem>
#include <iterator>
#include <mutex>

namespace sms::tests {
namespace {

using ::testing::HasSubstr;

/// Holds whoever passes until it is opened.
class Gate {
 public:
  void close() { set(false); }
  void open() { set(true); }
  void pass() {
    std::unique_lock lock(mutex_);
    ++waiting_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return open_; });
    --waiting_;
  }
  void wait_until_somebody_waits() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return waiting_ > 0; });
  }

 private:
  void set(bool open) {
    const std::lock_guard lock(mutex_);
    open_ = open;
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  int waiting_ = 0;
  bool open_ = true;
};

class SqliteDiskTest : public SqliteTest {
 protected:
  SqliteDiskTest() {
    disk.before_log_sync([this] { gate.pass(); });
  }
  ~SqliteDiskTest() override {
    gate.open();
    store.reset();
  }

  /// Lets the store begin a commit that lasts until the gate opens.
  Pending<ReserveResult> hold_a_commit() {
    gate.close();
    auto first = reserve(*store, reserve_request("first", owner_1));
    gate.wait_until_somebody_waits();
    return first;
  }
  std::string rows(const std::string& key) {
    return RawDatabase(path).value("select count(*) from sms_idempotency where key = '" + key + "'");
  }

  Gate gate;
  FaultyVfs disk;
  std::shared_ptr<IdempotencyStore> store = open();
};

TEST_F(SqliteDiskTest, claims_nothing_on_a_full_disk) {
  disk.fail(FaultyVfs::Call::write, SQLITE_FULL);
  const auto answer = reserve(*store, reserve_request("order:1", owner_1)).get();
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code(), ErrorCode::store_unavailable);
  EXPECT_THAT(answer.error().what(), HasSubstr("full"));
  EXPECT_EQ(rows("order:1"), "0");

  disk.heal();
  EXPECT_TRUE(claims(*store, "order:1", owner_2));
}

TEST_F(SqliteDiskTest, finalizes_once_there_is_room_again) {
  ASSERT_TRUE(claims(*store, "order:1", owner_1));
  disk.fail(FaultyVfs::Call::write, SQLITE_FULL);
  EXPECT_FALSE(finalize(*store, finalize_request("order:1", owner_1, accepted())).get());
  EXPECT_TRUE(std::holds_alternative<ReservedRecord>(*get(*store, "order:1").value()));

  disk.heal();
  EXPECT_TRUE(finalizes(*store, finalize_request("order:1", owner_1, accepted())));
  EXPECT_EQ(get(*store, "order:1").value(), to_record(accepted()));
}

TEST_F(SqliteDiskTest, tells_nobody_that_it_holds_a_key_when_the_flush_of_the_commit_failed) {
  disk.fail(FaultyVfs::Call::sync, SQLITE_IOERR_FSYNC);
  EXPECT_FALSE(reserve(*store, reserve_request("order:1", owner_1)).get());
  EXPECT_FALSE(reserve(*store, reserve_request("order:2", owner_1)).get());
  disk.heal();
  EXPECT_TRUE(claims(*store, "order:1", owner_1)) << "the same send repeats its claim";
  EXPECT_TRUE(claims(*store, "order:3", owner_2)) << "the connection is made anew";
  EXPECT_EQ(RawDatabase(path).value("pragma integrity_check"), "ok");
}

TEST_F(SqliteDiskTest, survives_failing_writes_of_a_checkpoint) {
  disk.fail(FaultyVfs::Call::write, SQLITE_IOERR_WRITE, "keys.db");
  for (int i = 0; i < 600; ++i) ASSERT_TRUE(claims(*store, "order:" + std::to_string(i), owner_1)) << i;
  disk.heal();
  for (int i = 600; i < 800; ++i) ASSERT_TRUE(claims(*store, "order:" + std::to_string(i), owner_1)) << i;
  EXPECT_EQ(RawDatabase(path).value("select count(*) from sms_idempotency"), "800");
  EXPECT_EQ(RawDatabase(path).value("pragma integrity_check"), "ok");
}

TEST_F(SqliteDiskTest, moves_its_log_into_the_file_now_and_then) {
  for (int i = 0; i < 900; ++i) ASSERT_TRUE(claims(*store, "order:" + std::to_string(i), owner_1));
  EXPECT_LT(std::filesystem::file_size(path + "-wal"), 8U << 20U);
  EXPECT_GT(std::filesystem::file_size(path), 1U << 16U);
}

TEST_F(SqliteDiskTest, answers_nobody_before_the_commit_has_reached_the_disk) {
  const auto first = hold_a_commit();
  EXPECT_FALSE(first.answered());
  EXPECT_EQ(rows("first"), "0") << "not even another connection sees it";
  gate.open();
  EXPECT_TRUE(first.get());
}

TEST_F(SqliteDiskTest, commits_all_waiting_operations_with_one_flush) {
  const auto first = hold_a_commit();
  std::vector<Pending<ReserveResult>> waiting;
  for (int i = 0; i < 50; ++i) waiting.push_back(reserve(*store, reserve_request(std::to_string(i), owner_1)));
  const int before = disk.syncs();
  gate.open();
  for (const auto& one : waiting) EXPECT_TRUE(std::holds_alternative<Reserved>(one.get().value()));
  EXPECT_LE(disk.syncs() - before, 2);
}

TEST_F(SqliteDiskTest, lets_one_bad_operation_fail_alone) {
  // SQLite rolls back the whole transaction, and what follows would run outside of one.
  for (const std::string how : {"rollback", "abort", "fail"}) {
    RawDatabase(path).execute(
        "drop trigger if exists poison; create trigger poison before insert on sms_idempotency "
        "when new.key = 'poison' begin select raise(" +
        how + ", 'poison'); end");
    const auto first = hold_a_commit();
    std::vector<Pending<ReserveResult>> good;
    for (int i = 0; i < 5; ++i) good.push_back(reserve(*store, reserve_request(how + std::to_string(i), owner_1)));
    const auto poison = reserve(*store, reserve_request("poison", owner_1));
    for (int i = 5; i < 10; ++i) good.push_back(reserve(*store, reserve_request(how + std::to_string(i), owner_1)));
    gate.open();
    EXPECT_FALSE(poison.get()) << how;
    for (const auto& one : good) EXPECT_TRUE(std::holds_alternative<Reserved>(one.get().value())) << how;
    EXPECT_EQ(RawDatabase(path).value("select count(*) from sms_idempotency where key like '" + how + "%'"), "10");
    EXPECT_EQ(rows("poison"), "0");
    RawDatabase(path).execute("delete from sms_idempotency");
  }
}

TEST_F(SqliteDiskTest, does_not_execute_what_its_caller_has_given_up) {
  store = open(200ms);
  const auto first = hold_a_commit();
  const auto late = reserve(*store, reserve_request("late", owner_1));
  testing::StoreProbe::wait(300ms);
  gate.open();
  EXPECT_TRUE(first.get());
  ASSERT_FALSE(late.get());
  EXPECT_THAT(late.get().error().what(), HasSubstr("waited too long"));
  EXPECT_EQ(rows("late"), "0");
  EXPECT_TRUE(claims(*store, "late", owner_2));
}

TEST_F(SqliteDiskTest, replays_without_waiting_for_the_commits_of_others) {
  ASSERT_TRUE(claims(*store, "order:1", owner_1));
  ASSERT_TRUE(finalizes(*store, finalize_request("order:1", owner_1, accepted())));
  const auto first = hold_a_commit();
  const auto replay = reserve(*store, reserve_request("order:1", owner_2)).get().value();
  EXPECT_EQ(std::get<Existing>(replay).record, to_record(accepted()));
  EXPECT_EQ(get(*store, "order:1").value(), to_record(accepted()));
  EXPECT_FALSE(first.answered());
}

TEST_F(SqliteDiskTest, finishes_what_was_submitted_before_it_goes) {
  auto first = hold_a_commit();
  std::vector<Pending<ReserveResult>> waiting;
  for (int i = 0; i < 20; ++i) waiting.push_back(reserve(*store, reserve_request(std::to_string(i), owner_1)));
  auto opener = std::async(std::launch::async, [this] {
    testing::StoreProbe::wait(50ms);
    gate.open();
  });
  store.reset();
  for (const auto& one : waiting) EXPECT_TRUE(one.get());
}

std::ptrdiff_t threads_of_this_process() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"), std::filesystem::directory_iterator());
}

TEST_F(SqliteDiskTest, can_be_dropped_by_a_callback_of_its_own) {
  // The callback may run while the call that it belongs to has not returned yet: often enough to meet that.
  for (int round = 0; round < 30; ++round) {
    if (!store) store = open();
    const auto threads = threads_of_this_process();
    Pending<bool> dropped;
    auto* raw = store.get();
    raw->reserve(reserve_request("order:" + std::to_string(round), owner_1),
                 [last = std::move(store), done = dropped.callback()](Expected<ReserveResult> answer) mutable {
                   last.reset();
                   done(answer.has_value());
                 });
    EXPECT_TRUE(dropped.get().value());
    // The thread ends by itself after its callback: the file system below it must live until then.
    while (threads_of_this_process() >= threads) testing::StoreProbe::wait(1ms);
  }
}

TEST_F(SqliteDiskTest, refuses_an_operator_who_would_wait_for_himself) {
  Pending<std::string> said;
  store->reserve(reserve_request("order:1", owner_1), [this, done = said.callback()](Expected<ReserveResult>) mutable {
    try {
      store->operators()->purge_expired(10, testing::StoreProbe::now());
      done(std::string("waited"));
    } catch (const StoreUnavailableError& error) {
      done(std::string(error.what()));
    }
  });
  EXPECT_THAT(said.get().value(), HasSubstr("would wait for itself"));
}

}  // namespace
}  // namespace sms::tests
