#include "stores/sqlite_file.hpp"

#include "unit/stores/sqlite_fixture.hpp"

#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace sms::tests {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

using SqliteFileTest = SqliteTest;

mode_t mode_of(const std::string& file) {
  struct stat status {};
  EXPECT_EQ(stat(file.c_str(), &status), 0) << file;
  return status.st_mode & 0777U;
}

TEST_F(SqliteFileTest, makes_files_that_only_their_owner_can_read) {
  const auto store = open();
  ASSERT_TRUE(claims(*store, "order:1", owner_1));
  EXPECT_EQ(mode_of(path), 0600U);
  EXPECT_EQ(mode_of(path + "-wal"), 0600U);
  EXPECT_EQ(mode_of(path + "-shm"), 0600U);
  EXPECT_EQ(mode_of(path + "-lock"), 0600U);
}

TEST_F(SqliteFileTest, keeps_a_log_and_names_its_program) {
  const auto store = open();
  RawDatabase raw(path);
  EXPECT_EQ(raw.value("pragma journal_mode"), "wal");
  EXPECT_EQ(raw.value("pragma application_id"), "1397576516");
  EXPECT_EQ(raw.value("pragma user_version"), "1");
  EXPECT_EQ(raw.value("pragma integrity_check"), "ok");
}

TEST_F(SqliteFileTest, keeps_its_identity_and_its_keys_over_restarts) {
  std::string identity;
  {
    const auto store = open();
    identity = store->identity();
    EXPECT_EQ(identity.size(), 32U);
    ASSERT_TRUE(claims(*store, "order:1", owner_1));
  }
  const auto again = open();
  EXPECT_EQ(again->identity(), identity);
  EXPECT_FALSE(claims(*again, "order:1", owner_2));
  path = folder.file("other.db");
  EXPECT_NE(open()->identity(), identity);
}

TEST_F(SqliteFileTest, a_program_that_looks_and_leaves_takes_no_log_from_under_a_store) {
  const auto store = open();
  open();  // A second store of the process comes and goes: that must not give away SQLite's locks.
  ASSERT_TRUE(claims(*store, "before", owner_1));
  // The last connection to leave removes the log, unless it sees that others are there.
  const auto look = "sqlite3 '" + path + "' 'select count(*) from sms_idempotency' > /dev/null";
  ASSERT_EQ(std::system(look.c_str()), 0);
  EXPECT_TRUE(fs::exists(path + "-wal"));
  ASSERT_TRUE(claims(*store, "after", owner_1));
  const auto other = open();
  EXPECT_FALSE(claims(*other, "before", owner_2));
  EXPECT_FALSE(claims(*other, "after", owner_2));
}

TEST_F(SqliteFileTest, refuses_a_database_of_another_program) {
  {
    RawDatabase raw(path);
    raw.execute("create table customers (name text)");
  }
  EXPECT_THAT(why_not_opened(), HasSubstr("another program"));
  EXPECT_EQ(RawDatabase(path).value("select count(*) from sqlite_master"), "1");
}

TEST_F(SqliteFileTest, refuses_a_database_of_a_newer_version) {
  open();
  RawDatabase(path).execute("pragma user_version = 2");
  EXPECT_THAT(why_not_opened(), HasSubstr("newer version"));
}

TEST_F(SqliteFileTest, refuses_what_is_no_database) {
  std::ofstream(path) << std::string(5'000, 'x');
  EXPECT_THAT(why_not_opened(), HasSubstr("not a database"));
  path = folder.path().string();
  EXPECT_THAT(why_not_opened(), HasSubstr("not a regular file"));
  path = folder.file("missing/keys.db");
  EXPECT_THAT(why_not_opened(), HasSubstr("folder of the database"));
}

TEST_F(SqliteFileTest, refuses_a_file_with_two_names) {
  open();
  fs::create_hard_link(path, folder.file("second.db"));
  EXPECT_THAT(why_not_opened(), HasSubstr("hard links"));
}

TEST_F(SqliteFileTest, is_one_store_under_the_names_of_links) {
  const auto store = open();
  fs::create_directory_symlink(folder.path(), folder.file("folder"));
  fs::create_symlink(path, folder.file("link.db"));
  ASSERT_TRUE(claims(*store, "order:1", owner_1));
  for (const auto& name : {folder.file("folder/keys.db"), folder.file("link.db"), folder.file("folder/link.db")}) {
    path = name;
    const auto linked = open();
    EXPECT_EQ(linked->identity(), store->identity());
    EXPECT_FALSE(claims(*linked, "order:1", owner_2));
  }
  EXPECT_FALSE(fs::exists(folder.file("link.db-lock")));
}

TEST_F(SqliteFileTest, takes_a_name_that_means_something_to_sqlite_as_a_file) {
  const auto before = fs::current_path();
  fs::current_path(folder.path());
  for (const auto& name : {":memory:", "file:keys.db?mode=memory"}) {
    path = name;
    ASSERT_TRUE(claims(*open(), "order:1", owner_1));
    EXPECT_FALSE(claims(*open(), "order:1", owner_2)) << name;
  }
  fs::current_path(before);
}

TEST_F(SqliteFileTest, goes_on_after_a_change_of_the_working_directory) {
  const auto before = fs::current_path();
  fs::current_path(folder.path());
  path = "keys.db";
  const auto store = open();
  fs::current_path(before);
  EXPECT_TRUE(claims(*store, "order:1", owner_1));
  EXPECT_FALSE(fs::exists("keys.db"));
}

TEST_F(SqliteFileTest, refuses_to_write_into_a_file_that_was_removed) {
  const auto store = open();
  ASSERT_TRUE(claims(*store, "order:1", owner_1));
  fs::remove(path);
  const auto answer = reserve(*store, reserve_request("order:2", owner_1)).get();
  ASSERT_FALSE(answer);
  EXPECT_THAT(answer.error().what(), HasSubstr("removed or replaced"));
  EXPECT_FALSE(get(*store, "order:1"));
  EXPECT_FALSE(fs::exists(path)) << "an empty file in its place would let every key be sent again";
}

TEST_F(SqliteFileTest, refuses_to_write_into_a_file_that_was_replaced) {
  const auto store = open();
  ASSERT_TRUE(claims(*store, "order:1", owner_1));
  const auto mine = path;
  path = folder.file("other.db");
  open();
  fs::rename(path, mine);
  EXPECT_FALSE(reserve(*store, reserve_request("order:2", owner_1)).get());
}

TEST_F(SqliteFileTest, claims_nothing_in_a_file_that_was_cut_off) {
  ASSERT_TRUE(claims(*open(), "order:1", owner_1));
  fs::resize_file(path, 4'096);
  fs::remove(path + "-wal");
  EXPECT_THAT(why_not_opened(), HasSubstr("malformed"));
}

TEST_F(SqliteFileTest, claims_nothing_in_a_damaged_file) {
  {
    const auto store = open();
    for (int i = 0; i < 200; ++i) ASSERT_TRUE(claims(*store, "order:" + std::to_string(i), owner_1));
  }
  fs::remove(path + "-wal");
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(4'096);
  file << std::string(static_cast<std::size_t>(fs::file_size(path)) - 4'096, '\xA5');
  file.close();
  EXPECT_THAT(why_not_opened(), HasSubstr("malformed"));
}

TEST(NetworkFileSystem, is_told_by_its_number) {
  constexpr std::uint32_t nfs = 0x6969, smb2 = 0xFE534D42, fuse = 0x65735546, plan9 = 0x01021997, ceph = 0x00C36400;
  for (const auto type : {nfs, smb2, fuse, plan9, ceph}) EXPECT_TRUE(detail::is_network_file_system(type)) << type;
  constexpr std::uint32_t ext4 = 0xEF53, xfs = 0x58465342, btrfs = 0x9123683E, tmpfs = 0x01021994, overlay = 0x794C7630,
                          zfs = 0x2FC12FC1, f2fs = 0xF2F52010;
  for (const auto type : {ext4, xfs, btrfs, tmpfs, overlay, zfs, f2fs}) {
    EXPECT_FALSE(detail::is_network_file_system(type)) << type;
  }
}

TEST(SqliteOptionsTest, refuses_options_that_cannot_work) {
  const auto with = [](auto change) {
    SqliteOptions options;
    options.path = "/nowhere/keys.db";
    change(options);
    return options;
  };
  using O = SqliteOptions;
  EXPECT_THROW(sqlite_idempotency_store(with([](O& o) { o.path = ""; })), ConfigurationError);
  EXPECT_THROW(sqlite_idempotency_store(with([](O& o) { o.path = std::string("a\0b", 3); })), ConfigurationError);
  EXPECT_THROW(sqlite_idempotency_store(with([](O& o) { o.busy_timeout = 0ms; })), ConfigurationError);
  EXPECT_THROW(sqlite_idempotency_store(with([](O& o) { o.busy_timeout = std::chrono::hours(24 * 365); })),
               ConfigurationError);
  EXPECT_THROW(sqlite_idempotency_store(with([](O& o) { o.max_batch = 0; })), ConfigurationError);
}

}  // namespace
}  // namespace sms::tests
