#include "unit/stores/faulty_vfs.hpp"
#include "unit/stores/sqlite_fixture.hpp"

/// What the store is built on: measured behaviour of SQLite. A version that changes one of these must be noticed.
namespace sms::tests {
namespace {

class SqliteFacts : public SqliteTest {
 protected:
  SqliteFacts() {
    EXPECT_EQ(raw.execute("pragma journal_mode = wal; create table t (k integer primary key, v text)"), SQLITE_OK);
  }

  int syncs_of_100_commits(const std::string& synchronous) {
    RawDatabase counted(path);
    counted.execute("pragma synchronous = " + synchronous);
    const int before = disk.syncs();
    for (int i = 0; i < 100; ++i) counted.execute("insert into t (v) values ('x')");
    return disk.syncs() - before;
  }

  FaultyVfs disk;
  RawDatabase raw{path};
};

TEST_F(SqliteFacts, full_flushes_every_commit_and_normal_does_not) {
  EXPECT_GE(syncs_of_100_commits("full"), 100);
  EXPECT_LT(syncs_of_100_commits("normal"), 20);
}

TEST_F(SqliteFacts, an_error_can_end_the_transaction_so_that_the_rest_runs_outside_of_it) {
  raw.execute("insert into t values (1, 'there')");
  ASSERT_EQ(raw.execute("begin immediate"), SQLITE_OK);
  EXPECT_EQ(raw.execute("insert into t values (2, 'told done')"), SQLITE_OK);
  EXPECT_EQ(raw.execute("insert or rollback into t values (1, 'again')"), SQLITE_CONSTRAINT);
  EXPECT_NE(sqlite3_get_autocommit(raw.get()), 0);
  EXPECT_EQ(raw.execute("insert into t values (3, 'alone')"), SQLITE_OK);
  EXPECT_NE(raw.execute("commit"), SQLITE_OK);
  EXPECT_EQ(raw.rows("select k from t"), (std::vector<std::string>{"1", "3"}));
}

TEST_F(SqliteFacts, a_read_that_becomes_a_write_is_refused_at_once_and_immediate_waits) {
  RawDatabase other(path);
  sqlite3_busy_timeout(raw.get(), 10'000);
  raw.execute("begin; select * from t");
  raw.rows("select * from t");
  other.execute("insert into t values (1, 'between')");
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(raw.execute("insert into t values (2, 'upgrade')"), SQLITE_BUSY);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 1s) << "the busy timeout does not apply";
  raw.execute("rollback");

  other.execute("begin immediate");
  auto waiting = std::async(std::launch::async, [this] { return raw.execute("begin immediate"); });
  EXPECT_EQ(waiting.wait_for(50ms), std::future_status::timeout);
  other.execute("commit");
  EXPECT_EQ(waiting.get(), SQLITE_OK);
}

TEST_F(SqliteFacts, a_returned_row_is_no_commit) {
  sqlite3_stmt* statement = nullptr;
  sqlite3_prepare_v2(raw.get(), "insert into t values (1, 'x') returning k", -1, &statement, nullptr);
  EXPECT_EQ(sqlite3_step(statement), SQLITE_ROW);
  EXPECT_EQ(RawDatabase(path).value("select count(*) from t"), "0");
  EXPECT_EQ(sqlite3_step(statement), SQLITE_DONE);
  EXPECT_EQ(RawDatabase(path).value("select count(*) from t"), "1");
  sqlite3_finalize(statement);
}

TEST_F(SqliteFacts, a_failed_flush_fails_the_commit) {
  raw.execute("pragma synchronous = full");
  disk.fail(FaultyVfs::Call::sync, SQLITE_IOERR_FSYNC);
  EXPECT_EQ(raw.execute("insert into t values (1, 'x')"), SQLITE_IOERR);
  disk.heal();
  EXPECT_EQ(RawDatabase(path).value("select count(*) from t"), "0");
}

}  // namespace
}  // namespace sms::tests
