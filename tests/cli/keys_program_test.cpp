#include <sms/operator_store.hpp>
#include <sms/stores/sqlite.hpp>

#include "program.hpp"
#include "testing/store_probe.hpp"

#include <boost/json.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>
#include <map>
#include <sstream>

namespace sms::cli::tests {
namespace {

using sms::testing::finalize_request;
using sms::testing::owner_1;
using sms::testing::reserve_request;
using sms::testing::StoreProbe;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

using Words = std::vector<std::string>;

boost::json::object object_of(const std::string& text) { return boost::json::parse(text).as_object(); }

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// A SQLite file with keys that a sender left behind.
class KeysProgram : public ::testing::Test {
 protected:
  KeysProgram() { directory.file("sms-sdk.toml", "[store]\nurl = \"sqlite:keys.db\"\n[client]\nsettle = \"1ms\"\n"); }

  static std::shared_ptr<IdempotencyStore> open(const std::string& path) {
    SqliteOptions options;
    options.path = path;
    return sqlite_idempotency_store(options);
  }
  static void leave(StoreProbe& store, const std::string& key, FinalIdempotencyRecord record) {
    store.store_final(key, owner_1, std::move(record));
  }
  void leave_unknown(const Words& keys) {
    StoreProbe store([this] { return open(directory.path("keys.db")); });
    for (const std::string& key : keys) leave(store, key, sms::testing::unknown());
    StoreProbe::wait(std::chrono::milliseconds(5));  // Until they may be released.
  }
  Finished keys(Words words, const std::string& input = {}) const {
    words.insert(words.begin(), "keys");
    return run(std::move(words), input, {{"OTHER_STORE", "sqlite:" + directory.path("other.db")}}, directory.path());
  }
  void make_undeletable(const std::string& key) const {
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(directory.path("keys.db").c_str(), &database), SQLITE_OK);
    const std::string sql = "create trigger fail before delete on sms_idempotency when old.key = '" + key +
                            "' begin select raise(abort, 'told to fail'); end";
    EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(database);
  }
  std::string state(const std::string& key) const {
    const Finished shown = keys({"show", key, "--json"});
    return shown.code == 0 ? std::string(object_of(shown.out).at("record").at("state").as_string()) : "none";
  }
  std::string token(const std::string& key) const {
    return std::string(object_of(keys({"show", key, "--json"}).out).at("token").as_string());
  }
  /// What `keys export` prints, with its last three columns filled in.
  std::string filled(const std::map<std::string, std::string>& columns_of) const {
    std::string csv;
    for (const std::string& line : lines_of(keys({"export"}).out)) {
      const auto found = columns_of.find(line.substr(0, line.find(',')));
      csv += (found == columns_of.end() ? line : line.substr(0, line.size() - 3) + "," + found->second) + "\n";
    }
    return csv;
  }

  Directory directory;
};

TEST_F(KeysProgram, exports_every_key_with_empty_columns_to_fill_in) {
  leave_unknown({"order:1", "with, comma"});
  const Finished exported = keys({"export"});
  EXPECT_EQ(exported.code, 0);
  const auto lines = lines_of(exported.out);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0], "key,state,since,age_seconds,stale,provider,attempts,token,action,provider_id,why");
  EXPECT_THAT(lines[1], AllOf(::testing::StartsWith("order:1,unknown,20"), HasSubstr(",false,twilio,"),
                              ::testing::EndsWith("," + token("order:1") + ",,,")));
  EXPECT_THAT(lines[2], ::testing::StartsWith("\"with, comma\",unknown,"));
  EXPECT_THAT(exported.err, HasSubstr("2 keys"));
}

TEST_F(KeysProgram, exports_more_keys_than_a_page_holds_as_json_lines) {
  {
    StoreProbe store([this] { return open(directory.path("keys.db")); });
    for (int i = 0; i < 1'050; ++i) store.claims("order:" + std::to_string(i), owner_1);
  }
  EXPECT_EQ(keys({"export"}).out, "key,state,since,age_seconds,stale,provider,attempts,token,action,provider_id,why\n");
  const auto lines = lines_of(keys({"export", "--filter", "reserved", "--format", "jsonl"}).out);
  ASSERT_EQ(lines.size(), 1'050U);
  EXPECT_EQ(object_of(lines.back()).at("state").as_string(), "reserved");
}

TEST_F(KeysProgram, settles_many_keys_as_a_filled_export_says) {
  leave_unknown({"order:1", "order:2", "order:3"});
  const std::string csv =
      filled({{"order:1", "accepted,SM1,in the portal"}, {"order:2", "release,,\"no, not there\""}});
  const std::string file = directory.file("keys.csv", csv);

  EXPECT_EQ(keys({"resolve", "--from-csv", file}).code, 2) << "nobody to ask";
  const Finished foretold = keys({"resolve", "--from-csv", file, "--dry-run"});
  EXPECT_EQ(foretold.code, 0) << foretold.err;
  EXPECT_THAT(foretold.out, HasSubstr("line 2  order:1  would be done"));
  EXPECT_EQ(state("order:1"), "unknown");

  const Finished settled = keys({"resolve", "--from-csv", file, "--yes", "--who", "ann"});
  EXPECT_EQ(settled.code, 0) << settled.err;
  EXPECT_EQ(settled.out, "line 2  order:1  done\nline 3  order:2  done\n");
  EXPECT_EQ(state("order:1"), "accepted");
  EXPECT_EQ(state("order:2"), "none");
  EXPECT_EQ(state("order:3"), "unknown");
  EXPECT_THAT(keys({"audit"}).out, AllOf(HasSubstr("resolve  order:1  by ann: in the portal"),
                                         HasSubstr("release  order:2  by ann: no, not there")));

  const Finished again = keys({"resolve", "--from-csv", "-", "--yes", "--json"}, csv);
  EXPECT_EQ(again.code, 5);
  const auto lines = lines_of(again.out);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(object_of(lines[0]).at("status").as_string(), "refused");
  EXPECT_EQ(object_of(lines[0]).at("reason").as_string(), "changed");
  EXPECT_EQ(object_of(lines[1]).at("reason").as_string(), "not_found");
  EXPECT_EQ(object_of(lines[2]).at("status").as_string(), "left_alone");
  EXPECT_EQ(object_of(lines[2]).at("line").as_int64(), 4);
}

TEST_F(KeysProgram, changes_nothing_for_a_file_with_one_fault) {
  leave_unknown({"order:1", "order:2"});
  const std::string csv = filled({{"order:1", "release,,gone"}, {"order:2", "forget,,"}});
  const Finished finished = keys({"resolve", "--from-csv", directory.file("keys.csv", csv), "--yes"});
  EXPECT_EQ(finished.code, 2);
  EXPECT_THAT(finished.err, AllOf(HasSubstr("keys.csv: line 3, column action"), HasSubstr("nothing was changed")));
  EXPECT_EQ(state("order:1"), "unknown");
  EXPECT_EQ(keys({"resolve", "--from-csv", directory.path("missing.csv"), "--yes"}).code, 2);
  EXPECT_EQ(keys({"resolve", "order:1", "--from-csv", directory.path("keys.csv"), "--yes"}).code, 2);
  EXPECT_EQ(keys({"resolve", "order:1", "--yes"}).code, 2);
  EXPECT_EQ(keys({"resolve", "--yes", "--accepted", "twilio", "SM1"}).code, 2);
}

TEST_F(KeysProgram, answers_forty_and_tries_nothing_after_a_key_that_the_store_cannot_answer_for) {
  leave_unknown({"order:1", "order:2", "order:3"});
  const std::string csv = filled({{"order:1", "release,,"}, {"order:2", "release,,"}, {"order:3", "release,,"}});
  make_undeletable("order:2");
  const Finished finished = keys({"resolve", "--from-csv", "-", "--yes", "--json"}, csv);
  EXPECT_EQ(finished.code, 40) << finished.out << finished.err;
  const auto lines = lines_of(finished.out);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(object_of(lines[0]).at("status").as_string(), "done");
  EXPECT_EQ(object_of(lines[1]).at("status").as_string(), "uncertain");
  EXPECT_TRUE(object_of(lines[1]).contains("fault"));
  EXPECT_EQ(object_of(lines[2]).at("status").as_string(), "not_tried");
  EXPECT_EQ(state("order:3"), "unknown");
}

TEST_F(KeysProgram, copies_keys_to_another_store) {
  leave_unknown({"order:1", "order:2"});
  const std::string from = "sqlite:" + directory.path("keys.db");
  const Finished compared = keys({"copy", from, "env:OTHER_STORE", "--dry-run", "--json"});
  EXPECT_EQ(compared.code, 0) << compared.err;
  EXPECT_EQ(object_of(compared.out).at("unknown").at("copied").as_int64(), 2);

  EXPECT_THAT(keys({"copy", from, "env:OTHER_STORE"}).out,
              HasSubstr("unknown: 2 copied, 0 there already, 0 conflicts"));
  EXPECT_THAT(keys({"copy", from, "env:OTHER_STORE"}).out,
              HasSubstr("unknown: 0 copied, 2 there already, 0 conflicts"));

  ASSERT_EQ(keys({"resolve", "order:1", "--accepted", "twilio", "SM1", "--yes"}).code, 0);
  const Finished differs = keys({"copy", from, "env:OTHER_STORE"});
  EXPECT_EQ(differs.code, 5);
  EXPECT_THAT(differs.err, HasSubstr("conflict: order:1 is accepted in the source, and unknown in the target"));
}

TEST_F(KeysProgram, takes_no_password_from_the_command_line) {
  for (const Words& words :
       {Words{"copy", "postgres://u:p@h/d", "sqlite:x.db"}, Words{"copy", "sqlite:x.db", "postgres://u:p@h/d"},
        Words{"copy", "sqlite:x.db", "env:NOT_SET"}}) {
    const Finished finished = keys(words);
    EXPECT_EQ(finished.code, 2) << ::testing::PrintToString(words);
    EXPECT_THAT(finished.err, Not(HasSubstr("u:p")));
  }
}

TEST_F(KeysProgram, prints_the_migration_and_makes_no_file) {
  const Finished printed = keys({"migrate", "--print"});
  EXPECT_EQ(printed.code, 0);
  EXPECT_THAT(printed.out, HasSubstr("create table if not exists sms_idempotency"));
  EXPECT_FALSE(std::filesystem::exists(directory.path("keys.db")));
  EXPECT_EQ(keys({"migrate"}).code, 0);
  EXPECT_TRUE(std::filesystem::exists(directory.path("keys.db")));
}

TEST_F(KeysProgram, acknowledges_a_restore_after_a_yes) {
  leave_unknown({"order:1"});
  EXPECT_EQ(keys({"acknowledge-restore"}).code, 2);
  EXPECT_EQ(keys({"acknowledge-restore", "--yes", "--who", "ann", "--why", "backup of noon"}).code, 0);
  EXPECT_THAT(keys({"audit"}).out, HasSubstr("acknowledge-restore"));
  EXPECT_THAT(keys({"audit"}).out, HasSubstr("by ann: backup of noon"));
}

TEST_F(KeysProgram, names_the_same_user_whoever_is_not_named) {
  leave_unknown({"order:1", "order:2"});
  ASSERT_EQ(keys({"resolve", "order:1", "--accepted", "twilio", "SM1", "--yes"}).code, 0);
  ASSERT_EQ(keys({"acknowledge-restore", "--yes"}).code, 0);
  ASSERT_EQ(keys({"resolve", "--from-csv", "-", "--yes"}, filled({{"order:2", "release,,"}})).code, 0);
  const auto rows = object_of(keys({"audit", "--json"}).out).at("audit").as_array();
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_NE(rows[0].at("who").as_string(), "");
  for (const auto& row : rows) EXPECT_EQ(row.at("who"), rows[0].at("who"));
}

TEST_F(KeysProgram, counts_stale_reservations_for_an_alert) {
  {
    StoreProbe store([this] { return open(directory.path("keys.db")); });
    auto patient = reserve_request("order:1", owner_1);
    patient.stale_reservation = std::chrono::milliseconds(1);
    store.claims(patient);
  }
  EXPECT_EQ(keys({"watch", "--max-unknown", "1", "--max-stale", "1"}).code, 0);
  const Finished exceeded = keys({"watch", "--max-unknown", "1", "--max-stale", "0", "--json"});
  EXPECT_EQ(exceeded.code, 1);
  EXPECT_EQ(object_of(exceeded.out).at("exceeded").as_array().at(0).as_string(), "max-stale");
}

TEST_F(KeysProgram, tells_the_doctor_what_it_knows_of_its_file) {
  leave_unknown({"order:1"});
  const Finished finished = run({"doctor"}, {}, {}, directory.path());
  for (const char* topic : {"file", "schema", "durability", "journal"}) {
    EXPECT_THAT(finished.out, HasSubstr(std::string("passed  store: ") + topic + ": "));
  }
  EXPECT_THAT(finished.out, HasSubstr("warned  store: opens, may be shared by processes"));
  EXPECT_THAT(finished.out, HasSubstr("1 keys need somebody"));
  std::filesystem::permissions(directory.path("keys.db"), std::filesystem::perms(0644));
  EXPECT_THAT(run({"doctor"}, {}, {}, directory.path()).out, HasSubstr("warned  store: file: "));
}

}  // namespace
}  // namespace sms::cli::tests
