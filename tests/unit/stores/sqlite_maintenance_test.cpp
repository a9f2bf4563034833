#include <sms/store_maintenance.hpp>
#include <sms/stores/open.hpp>

#include "stores/sqlite_history.hpp"
#include "unit/stores/sqlite_fixture.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

namespace sms::tests {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

class SqliteMaintenanceTest : public SqliteTest {
 protected:
  /// As after a backup of that time was restored into the file.
  void set_mark(int commits) {
    RawDatabase raw(path);
    ASSERT_EQ(raw.execute("insert or replace into sms_store values ('high_water', '" + std::to_string(commits) + "')"),
              SQLITE_OK);
  }

  static std::string why_not_claimed(IdempotencyStore& store, const std::string& key) {
    const auto answer = reserve(store, reserve_request(key, owner_1)).get();
    return answer ? "claimed" : answer.error().what();
  }

  static StoreFinding finding(IdempotencyStore& store, std::string_view topic) {
    const auto findings = store.maintenance()->examine();
    const auto found = std::ranges::find(findings, topic, &StoreFinding::topic);
    return found == findings.end() ? StoreFinding{StoreFinding::Level::problem, "none", "none"} : *found;
  }
};

TEST_F(SqliteMaintenanceTest, makes_its_tables_from_the_sql_that_it_prints) {
  {
    RawDatabase raw(path);
    ASSERT_EQ(raw.execute(sqlite_migration()), SQLITE_OK);
    ASSERT_EQ(raw.execute(sqlite_migration()), SQLITE_OK) << "a second time";
  }
  const auto store = open();
  EXPECT_TRUE(claims(*store, "order:1", owner_1));
  EXPECT_EQ(store->maintenance()->migration(), sqlite_migration());
}

TEST_F(SqliteMaintenanceTest, prints_the_sql_of_a_url_without_making_the_file) {
  EXPECT_EQ(store_migration("sqlite:" + path), sqlite_migration());
  EXPECT_EQ(store_migration(path), sqlite_migration());
  EXPECT_EQ(store_migration("memory:"), "");
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(SqliteMaintenanceTest, finds_nothing_wrong_with_a_healthy_file) {
  const auto store = open();
  for (const char* topic : {"file", "schema", "durability", "journal"}) {
    EXPECT_EQ(finding(*store, topic).level, StoreFinding::Level::fine) << topic;
  }
  EXPECT_NE(finding(*store, "file system").level, StoreFinding::Level::problem);
}

TEST_F(SqliteMaintenanceTest, finds_a_file_that_others_may_read) {
  const auto store = open();
  ASSERT_EQ(chmod(path.c_str(), 0644), 0);
  EXPECT_EQ(finding(*store, "file").level, StoreFinding::Level::warning);
}

TEST_F(SqliteMaintenanceTest, finds_a_file_that_was_removed) {
  const auto store = open();
  std::filesystem::remove(path);
  EXPECT_EQ(finding(*store, "file").level, StoreFinding::Level::problem);
  EXPECT_THAT(finding(*store, "writing").text, HasSubstr("removed or replaced"));
}

TEST_F(SqliteMaintenanceTest, moves_its_mark_at_most_once_a_second) {
  const auto store = open();
  const auto mark = [this] { return RawDatabase(path).rows("select value from sms_store where name = 'high_water'"); };
  const auto opened = BootClock::now();
  for (int i = 0; i < 50; ++i) ASSERT_TRUE(claims(*store, "early:" + std::to_string(i), owner_1));
  testing::StoreProbe::wait(1100ms);
  for (int i = 0; i < 50; ++i) ASSERT_TRUE(claims(*store, "late:" + std::to_string(i), owner_1));
  ASSERT_THAT(mark(), SizeIs(1));
  EXPECT_LE(std::stoi(mark().front()), std::chrono::ceil<std::chrono::seconds>(BootClock::now() - opened).count());
}

TEST_F(SqliteMaintenanceTest, serves_nothing_from_a_file_that_went_back) {
  const auto store = open();
  ASSERT_TRUE(claims(*store, "order:1", owner_1));
  set_mark(7);
  ASSERT_TRUE(claims(*store, "order:2", owner_1));
  set_mark(6);
  EXPECT_THAT(why_not_claimed(*store, "order:3"), HasSubstr("went back in time"));
  EXPECT_THAT(why_not_claimed(*store, "order:1"), HasSubstr("acknowledge-restore"));
  EXPECT_FALSE(get(*store, "order:1"));
  EXPECT_THROW(store->operators()->show("order:1", testing::StoreProbe::now()), StoreUnavailableError);
  EXPECT_EQ(finding(*store, "writing").level, StoreFinding::Level::problem);
}

TEST_F(SqliteMaintenanceTest, serves_again_once_an_operator_of_another_process_has_acknowledged) {
  const auto store = open();
  set_mark(7);
  ASSERT_TRUE(claims(*store, "order:1", owner_1));
  set_mark(2);
  ASSERT_THAT(why_not_claimed(*store, "order:2"), HasSubstr("went back in time"));

  const auto other = open();
  other->maintenance()->acknowledge_restore({"ann", "restored the backup of noon"});
  EXPECT_TRUE(claims(*store, "order:2", owner_1));
  const auto rows = other->operators()->audit(10, std::nullopt);
  ASSERT_THAT(rows, SizeIs(1));
  EXPECT_EQ(rows[0].action, "acknowledge-restore");
  EXPECT_EQ(rows[0].who, "ann");
  EXPECT_EQ(rows[0].why, "restored the backup of noon");
}

TEST_F(SqliteMaintenanceTest, notices_a_restore_after_one_that_was_acknowledged) {
  const auto store = open();
  set_mark(7);
  ASSERT_TRUE(claims(*store, "order:1", owner_1));
  set_mark(2);
  store->maintenance()->acknowledge_restore({"ann"});
  ASSERT_TRUE(claims(*store, "order:2", owner_1));
  RawDatabase(path).execute("delete from sms_store where name = 'acknowledged'");
  EXPECT_THAT(why_not_claimed(*store, "order:3"), HasSubstr("went back in time"));
  store->maintenance()->acknowledge_restore({"ann"});
  EXPECT_TRUE(claims(*store, "order:3", owner_1));
}

TEST_F(SqliteMaintenanceTest, notices_a_backup_that_sqlite_restores_into_the_file_of_a_running_store) {
  const std::string backup_path = folder.file("backup.db");
  const auto copy = [](const std::string& from, const std::string& to) {
    RawDatabase source(from), target(to);
    sqlite3_busy_timeout(target.get(), 10'000);
    sqlite3_backup* backup = sqlite3_backup_init(target.get(), "main", source.get(), "main");
    ASSERT_NE(backup, nullptr);
    EXPECT_EQ(sqlite3_backup_step(backup, -1), SQLITE_DONE);
    EXPECT_EQ(sqlite3_backup_finish(backup), SQLITE_OK);
  };
  const auto store = open();
  copy(path, backup_path);
  testing::StoreProbe::wait(1100ms);
  ASSERT_TRUE(claims(*store, "order:1", owner_1));
  copy(backup_path, path);
  EXPECT_THAT(why_not_claimed(*store, "order:1"), HasSubstr("went back in time"));
}

TEST_F(SqliteMaintenanceTest, keeps_the_largest_mark_whatever_the_order_in_which_it_learns_of_them) {
  open();
  detail::SqliteDatabase database(detail::SqliteFile(path), detail::SqliteDatabase::Purpose::read, 1s);
  detail::SqliteHistory history;
  history.begin(database);
  history.remember({0, 5});
  history.remember({0, 4});
  EXPECT_THROW(history.check(database), StoreUnavailableError);
  set_mark(5);
  EXPECT_EQ(history.check(database).commits, 5);
}

}  // namespace
}  // namespace sms::tests
