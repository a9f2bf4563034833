#include "stores/redis/redis_fixture.hpp"

#include <atomic>
#include <map>
#include <vector>

namespace sms::tests {
namespace {

class RedisStoreTest : public ::testing::Test {
 protected:
  std::string name(const std::string& key) const { return "sms:key:{" + key + "}"; }

  RedisServer server;
};

TEST_F(RedisStoreTest, does_not_connect_before_it_is_used) {
  server.stop();
  const auto store = open_redis(server.url("?operation_timeout=300ms"));
  EXPECT_THAT(why_unavailable(store), HasSubstr("cannot connect"));
  EXPECT_THROW(store->identity(), StoreUnavailableError);
  server.start();
  EXPECT_TRUE(probe(store).claims("order:1", owner_1));
  EXPECT_EQ(store->identity().size(), 32U);
}

TEST_F(RedisStoreTest, waits_for_a_server_that_restarts) {
  const auto store = open_redis(server.url("?operation_timeout=20000ms"));
  server.stop();
  auto answer = start_reserve(*store, reserve_request("order:1", owner_1));
  EXPECT_EQ(answer.wait_for(100ms), std::future_status::timeout);
  server.start();
  EXPECT_TRUE(answer.get());
}

TEST_F(RedisStoreTest, answers_what_is_outstanding_when_it_goes) {
  server.freeze();
  auto store = open_redis(server.url());
  auto answer = start_reserve(*store, reserve_request("order:1", owner_1));
  store.reset();
  const auto result = answer.get();
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().what(), HasSubstr("being closed"));
  server.thaw();
}

TEST_F(RedisStoreTest, can_be_dropped_by_a_callback_of_its_own) {
  auto store = open_redis(server.url());
  std::promise<void> dropped;
  auto* const raw = store.get();
  raw->get("order:1", {}, [&, held = std::move(store)](const auto&) mutable {
    held.reset();
    dropped.set_value();
  });
  dropped.get_future().get();
}

TEST_F(RedisStoreTest, sends_scripts_again_that_the_server_has_forgotten) {
  auto store = probe(open_redis(server.url()));
  EXPECT_TRUE(store.claims("order:1", owner_1));
  EXPECT_EQ(server.ask({"SCRIPT", "FLUSH"}), "OK");
  EXPECT_TRUE(store.claims("order:2", owner_1));
  EXPECT_EQ(store.finalize(finalize_request("order:1", owner_1, accepted())), FinalizeResult::finalized);
}

TEST_F(RedisStoreTest, takes_a_key_over_without_its_expiry) {
  auto store = probe(open_redis(server.url()));
  store.store_final("order:1", owner_1, rejected());
  EXPECT_GT(std::stoll(server.ask({"PTTL", name("order:1")})), 0);
  EXPECT_TRUE(store.claims("order:1", owner_2));
  EXPECT_EQ(server.ask({"PTTL", name("order:1")}), "-1");
  EXPECT_EQ(store.finalize(finalize_request("order:1", owner_2, unknown())), FinalizeResult::finalized);
  EXPECT_EQ(server.ask({"PTTL", name("order:1")}), "-1");
}

TEST_F(RedisStoreTest, compares_expiry_by_itself) {
  auto store = probe(open_redis(server.url()));
  store.store_final("order:2", owner_1, accepted());
  // As a replica's copy, or one restored from a file, may stand there.
  server.ask({"HSET", name("order:2"), "expires_at", "1"});
  server.ask({"PERSIST", name("order:2")});
  EXPECT_FALSE(store.get("order:2"));
  EXPECT_EQ(store.operators().stats({}).expired, 1U);
  EXPECT_EQ(store.operators().purge_expired(10, {}), 1U);
  EXPECT_EQ(server.ask({"EXISTS", name("order:2")}), "0");
}

TEST_F(RedisStoreTest, holds_rows_without_owner_or_time_and_those_that_cannot_be_read) {
  auto store = probe(open_redis(server.url()));
  server.ask({"HSET", name("no-owner"), "state", "reserved", "fingerprint", testing::fingerprint_a});
  server.ask({"HSET", name("no-state"), "fingerprint", testing::fingerprint_a});
  server.ask({"HSET", name("odd-state"), "state", "sent"});
  server.ask({"SET", name("no-hash"), "1"});
  EXPECT_FALSE(store.claims("no-owner", owner_1));
  for (const auto* key : {"no-state", "odd-state", "no-hash"}) {
    EXPECT_THROW(store.reserve(reserve_request(key, owner_1)), StoreUnavailableError) << key;
    EXPECT_THROW(store.get(key), StoreUnavailableError) << key;
  }
  const auto shown = store.operators().show("no-owner", {});
  ASSERT_TRUE(shown);
  EXPECT_TRUE(shown->malformed);
  EXPECT_TRUE(shown->stale);
}

TEST_F(RedisStoreTest, keeps_keys_with_braces_and_control_characters_apart) {
  auto store = probe(open_redis(server.url()));
  const std::vector<std::string> keys{"a{b}",   "a%7Bb%7D", "{}", "}{", "", "%", std::string("nul\0", 4),
                                      "line\n", "\xff*?[x]"};
  for (const auto& key : keys) EXPECT_TRUE(store.claims(key, owner_1)) << key;
  ListRequest all;
  all.filter = KeyFilter::all;
  std::vector<std::string> listed;
  for (const auto& view : store.operators().list(all).keys) listed.push_back(view.key);
  EXPECT_THAT(listed, ::testing::UnorderedElementsAreArray(keys));
}

TEST_F(RedisStoreTest, goes_by_the_clock_of_the_server) {
  auto store = probe(open_redis(server.url()));
  auto early = reserve_request("order:1", owner_1);
  early.now -= std::chrono::hours(1'000);
  EXPECT_TRUE(store.claims(early));
  const auto seen = store.reserve(reserve_request("order:1", owner_2));
  EXPECT_LT(*std::get<Existing>(seen).age, 60s);
}

TEST_F(RedisStoreTest, does_nothing_after_its_deadline) {
  const auto store = open_redis(server.url("?operation_timeout=400ms"));
  ASSERT_TRUE(probe(store).claims("warm", owner_1));
  server.freeze();
  auto answer = start_reserve(*store, reserve_request("late", owner_1));
  EXPECT_FALSE(answer.get());
  server.thaw();
  server.wait_for({"PING"}, "PONG");
  EXPECT_EQ(server.ask({"EXISTS", name("late")}), "0") << "the request lay in the server's socket and must not count";
  EXPECT_TRUE(probe(store).claims("late", owner_2));
}

TEST_F(RedisStoreTest, repeats_a_request_whose_answer_was_lost) {
  CuttingProxy proxy(server.port());
  auto store = probe(open_redis(url_of(proxy.port())));
  ASSERT_TRUE(store.claims("warm", owner_1));
  proxy.drop_next_reply();
  EXPECT_TRUE(store.claims("order:1", owner_1));
  proxy.drop_next_reply();
  EXPECT_EQ(store.mark({"order:1", owner_1, {"twilio", 1, {}}}), MarkResult::marked);
  proxy.drop_next_reply();
  EXPECT_EQ(store.finalize(finalize_request("order:1", owner_1, unknown())), FinalizeResult::finalized);
  proxy.drop_next_reply();
  EXPECT_EQ(store.settle(finalize_request("order:1", owner_1, accepted())), SettleResult::settled);
  EXPECT_EQ(proxy.connections(), 5);
}

TEST_F(RedisStoreTest, takes_no_answer_that_belongs_to_another_question) {
  CuttingProxy proxy(server.port());
  auto store = probe(open_redis(url_of(proxy.port())));
  store.store_final("order:2", owner_1, accepted());
  proxy.replace_once("sms:key:{order:1}", "sms:key:{order:2}");
  EXPECT_FALSE(store.get("order:1"));
  EXPECT_EQ(proxy.connections(), 2);
  EXPECT_TRUE(store.claims("order:1", owner_1));
}

TEST_F(RedisStoreTest, gives_up_a_connection_that_does_not_answer) {
  CuttingProxy proxy(server.port());
  const auto store = open_redis(url_of(proxy.port(), "?operation_timeout=300ms"));
  ASSERT_TRUE(probe(store).claims("warm", owner_1));
  proxy.hang_replies();
  EXPECT_THAT(why_unavailable(store), HasSubstr("in time"));
  proxy.pass();
  EXPECT_TRUE(probe(store).claims("order:2", owner_1));
  EXPECT_GE(proxy.connections(), 2);
}

TEST_F(RedisStoreTest, loses_no_request_of_many_when_connections_are_cut) {
  CuttingProxy proxy(server.port());
  const auto store = open_redis(url_of(proxy.port(), "?operation_timeout=20000ms"));
  std::vector<std::future<Expected<ReserveResult>>> answers;
  for (int i = 0; i < 2'000; ++i) {
    answers.push_back(start_reserve(*store, reserve_request("order:" + std::to_string(i), owner_1)));
    if (i % 250 == 100) proxy.cut();
  }
  for (auto& answer : answers) EXPECT_TRUE(std::holds_alternative<Reserved>(answer.get().value()));
}

TEST_F(RedisStoreTest, refuses_more_than_it_may_keep_waiting) {
  server.freeze();
  auto options = redis_options(server.url());
  options.max_waiting = 2;
  auto store = redis_idempotency_store(options);
  auto first = start_reserve(*store, reserve_request("1", owner_1));
  auto second = start_reserve(*store, reserve_request("2", owner_1));
  EXPECT_THAT(why_unavailable(store, "3"), HasSubstr("too many"));
  server.thaw();
  EXPECT_TRUE(first.get());
  EXPECT_TRUE(second.get());
  EXPECT_EQ(why_unavailable(store, "3"), "answered");
}

TEST_F(RedisStoreTest, keeps_a_second_tool_from_changing_what_was_not_shown) {
  auto store = probe(open_redis(server.url()));
  store.store_final("order:1", owner_1, unknown());
  const auto token = store.token("order:1");
  server.ask({"HSET", name("order:1"), "version", "another"});
  ReleaseRequest release;
  release.key = "order:1";
  release.token = token;
  release.settle = 0ms;
  EXPECT_EQ(store.operators().release(release), OperatorResult::changed);
  release.token = store.token("order:1");
  release.note = {"anna", "not created"};
  EXPECT_EQ(store.operators().release(release), OperatorResult::done);
  const auto audit = store.operators().audit(10, std::nullopt);
  ASSERT_EQ(audit.size(), 1U);
  EXPECT_EQ(audit[0].who, "anna");
  EXPECT_EQ(audit[0].why, "not created");
}

}  // namespace
}  // namespace sms::tests
