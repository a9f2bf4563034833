#include "stores/postgres/postgres_fixture.hpp"

#include <algorithm>

namespace sms::tests {
namespace {

using AfterFailover = PostgresOptions::AfterFailover;

TEST_F(PostgresTest, without_its_tables_names_the_command_that_makes_them) {
  const auto empty = server.new_empty_database();
  const auto store = open_url(server.url(empty));
  EXPECT_THAT(why_unavailable(*store), HasSubstr("sms-sdk keys migrate"));
  EXPECT_THAT(finding(*store, "schema"), HasSubstr("sms-sdk keys migrate"));
  store->maintenance()->migrate();
  store->maintenance()->migrate();
  wait_until([&] { return why_unavailable(*store) == "answered"; });
  EXPECT_THAT(finding(*store, "schema"), HasSubstr("fine"));
  EXPECT_EQ(store->identity().size(), 32U);
  EXPECT_EQ(server.session(empty).value("select reloptions from pg_class where relname = 'sms_idempotency'"),
            "{fillfactor=80}");
}

TEST_F(PostgresTest, upgrades_the_table_of_the_contract_with_its_rows) {
  const auto old = server.new_empty_database();
  auto other = server.session(old);
  other.rows(
      "create table sms_idempotency (key text primary key, fingerprint text not null, state text not null check (state "
      "in "
      "('reserved', 'accepted', 'rejected', 'unknown')), reservation_id text, reserved_at bigint, record jsonb, "
      "expires_at "
      "bigint)");
  other.rows(
      "insert into sms_idempotency values ('order:1', 'f', 'reserved', 'c7b1e0de-0000-4000-8000-000000000000', 1)");
  const auto store = open_url(server.url(old));
  EXPECT_THAT(why_unavailable(*store), HasSubstr("sms-sdk keys migrate"));
  store->maintenance()->migrate();
  EXPECT_FALSE(won(start_claim(*open_url(server.url(old)), "order:1").get()));
  EXPECT_EQ(other.value("select count(*) from pg_indexes where tablename = 'sms_idempotency'"), "4");
}

TEST_F(PostgresTest, prints_a_migration_that_others_can_run) {
  const auto empty = server.new_empty_database();
  const auto store = open_url(server.url(empty));
  const auto sql = store->maintenance()->migration();
  run_as_server({"/usr/bin/psql", server.conninfo(empty), "-v", "ON_ERROR_STOP=1", "-c", "select 1"},
                server.folder() + "/psql");
  auto other = server.session(empty);
  std::string statement;
  // The first statement holds semicolons; the others are one line each.
  const auto end = sql.find("$sms$;\n") + 7;
  other.rows(sql.substr(0, end));
  for (auto rest = sql.substr(end); !rest.empty(); rest.erase(0, rest.find('\n') + 1)) {
    other.rows(rest.substr(0, rest.find('\n')));
  }
  EXPECT_EQ(why_unavailable(*store), "answered");
}

TEST_F(PostgresTest, replaces_an_index_whose_build_was_interrupted) {
  const auto store = open();
  session().rows("update pg_index set indisvalid = false where indexrelid = 'sms_idempotency_open'::regclass");
  EXPECT_THAT(finding(*store, "schema"), HasSubstr("warning: the index sms_idempotency_open"));
  store->maintenance()->migrate();
  EXPECT_THAT(finding(*store, "schema"), HasSubstr("fine"));
}

TEST_F(PostgresTest, lists_open_keys_by_its_index) {
  session().rows(
      "insert into sms_idempotency (key, fingerprint, state, record, expires_at) select n::text, 'f', "
      "'accepted', '{}', 99999999999999 from generate_series(1, 20000) n; analyze sms_idempotency");
  const auto store = open();
  ASSERT_TRUE(won(start_claim(*store, "open").get()));
  EXPECT_EQ(store->operators()->stats({}).reserved, 1U);
  std::string plan;
  for (const auto& line : session().rows(
           "explain select key from sms_idempotency where state in ('reserved', 'unknown') and (coalesce(reserved_at, "
           "updated_at, 0), key collate \"C\") > (0, 'a' collate \"C\") order by coalesce(reserved_at, updated_at, 0), "
           "key "
           "collate \"C\" limit 10")) {
    plan += line;
  }
  EXPECT_THAT(plan, HasSubstr("sms_idempotency_open"));
}

TEST_F(PostgresTest, refuses_a_read_replica) {
  ASSERT_TRUE(won(start_claim(*open(), "order:1").get()));
  const PostgresServer standby(server);
  const auto store = open_url(standby.url(database));
  EXPECT_THAT(why_unavailable(*store), HasSubstr("read replica"));
  EXPECT_THAT(finding(*store, "server"), HasSubstr("problem: the server is a read replica"));
}

TEST_F(PostgresTest, refuses_a_server_that_was_promoted_until_it_is_acknowledged) {
  const auto before = open();
  ASSERT_TRUE(won(start_claim(*before, "order:1").get()));
  PostgresServer standby(server);
  standby.promote();
  const auto store = open_url(standby.url(database));
  EXPECT_THAT(why_unavailable(*store), HasSubstr("sms-sdk keys acknowledge-restore"));
  EXPECT_THAT(finding(*store, "history"), HasSubstr("problem: "));
  EXPECT_THROW(store->operators()->stats({}), StoreUnavailableError);

  auto options = postgres_options(standby.url(database) + "&after_failover=accept");
  EXPECT_EQ(options.after_failover, AfterFailover::accept);
  const auto trusting = postgres_idempotency_store(options);
  EXPECT_EQ(why_unavailable(*trusting, "order:2"), "answered");
  EXPECT_THAT(finding(*trusting, "history"), HasSubstr("warning: "));

  store->maintenance()->acknowledge_restore({"operator@example", "looked at all sends of the last hour"});
  wait_until([&] { return why_unavailable(*store) == "answered"; });
  EXPECT_FALSE(won(start_claim(*store, "order:1", owner_2).get()));
  EXPECT_THAT(finding(*store, "history"), HasSubstr("fine: "));
  EXPECT_EQ(store->operators()->audit(1, std::nullopt).front().action, "acknowledge-restore");
  EXPECT_EQ(store->identity(), before->identity());
}

TEST_F(PostgresTest, refuses_another_store_behind_the_same_address) {
  const auto store = open();
  ASSERT_TRUE(won(start_claim(*store, "order:1").get()));
  // As a pooler does that leads to another database: the connection stays.
  session().rows("update sms_store set value = 'another' where name = 'identity'");
  EXPECT_THAT(why_unavailable(*store, "order:2"), HasSubstr("another store than before"));
  EXPECT_EQ(count_of("key = 'order:2'"), "0");
}

TEST_F(PostgresTest, notices_a_new_timeline_behind_an_open_connection) {
  const auto store = open();
  ASSERT_TRUE(won(start_claim(*store, "order:1").get()));
  session().rows(
      "update sms_store set value = '7:00000063' where name = 'timeline'; select pg_terminate_backend(pid) from "
      "pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()");
  EXPECT_THAT(why_unavailable(*store, "order:2"), HasSubstr("acknowledge-restore"));
}

TEST_F(PostgresTest, commits_to_the_disk_whatever_the_role_says) {
  session().rows("alter database " + database + " set synchronous_commit = off");
  const auto store = open();
  EXPECT_EQ(why_unavailable(*store), "answered");
  EXPECT_THAT(finding(*store, "durability"), HasSubstr("warning: synchronous_commit is off"));
  EXPECT_THAT(finding(*store, "replication"), HasSubstr("asynchronous replicas can lose claims"));
}

TEST_F(PostgresTest, never_repeats_its_password) {
  const std::string secret = "hunter2";
  for (const auto& url :
       {"postgres://app:" + secret + "@127.0.0.1:1/db", "postgres:?host=127.0.0.1&port=1&password=" + secret,
        "postgres:?host=127.0.0.1 port=1 password=" + secret}) {
    const auto store = open_url(url, 300ms);
    EXPECT_THAT(why_unavailable(*store), ::testing::Not(HasSubstr(secret)));
    EXPECT_THAT(finding(*store, "reachability"),
                ::testing::AllOf(HasSubstr("problem"), ::testing::Not(HasSubstr(secret))));
    try {
      static_cast<void>(store->identity());
      ADD_FAILURE() << "nobody answers there";
    } catch (const StoreUnavailableError& error) {
      EXPECT_THAT(error.what(), ::testing::Not(HasSubstr(secret)));
    }
  }
  for (const auto& url :
       {"postgres://app:" + secret + "@[host/db", "postgres:?" + secret, "postgres://host/db?port" + secret,
        "postgres:?" + secret + "=1", "postgres://h/d?connections=" + secret, "redis://" + secret}) {
    try {
      open_url(url);
      ADD_FAILURE() << url;
    } catch (const ConfigurationError& error) {
      EXPECT_THAT(error.what(), ::testing::Not(HasSubstr(secret)));
    }
  }
}

TEST_F(PostgresTest, takes_its_options_from_a_url) {
  const auto options = postgres_options(
      "postgresql://u@h/"
      "d?operation_timeout=2s&connect_timeout=7&sslmode=require&connections=8&max_batch=10&application_name=a");
  EXPECT_EQ(options.conninfo, "postgresql://u@h/d?sslmode=require&application_name=a");
  EXPECT_EQ(options.operation_timeout, 2s);
  EXPECT_EQ(options.connect_timeout, 7s);
  EXPECT_EQ(options.connections, 8U);
  EXPECT_EQ(options.max_batch, 10U);
  EXPECT_EQ(postgres_options("postgres:?host=/a%20b&password=it's&after_failover=refuse").conninfo,
            "host='/a b' password='it\\'s' ");
  EXPECT_THROW(postgres_options("postgres:?after_failover=maybe"), ConfigurationError);
  EXPECT_THROW(postgres_options("postgres:"), ConfigurationError);
  PostgresOptions wrong;
  wrong.connections = 0;
  EXPECT_THROW(postgres_idempotency_store(wrong), ConfigurationError);
  wrong = {};
  wrong.operation_timeout = 0ms;
  EXPECT_THROW(postgres_idempotency_store(wrong), ConfigurationError);
}

}  // namespace
}  // namespace sms::tests
