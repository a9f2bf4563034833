#include "stores/redis/redis_fixture.hpp"

#include <atomic>
#include <map>
#include <vector>

namespace sms::tests {
namespace {

/// A primary with a replica whose link can be cut, and the address that clients use.
class RedisFailover : public ::testing::Test {
 protected:
  void begin(RedisServer::Options primary_options = {}) {
    primary = std::make_unique<RedisServer>(std::move(primary_options));
    link = std::make_unique<CuttingProxy>(primary->port());
    replica =
        std::make_unique<RedisServer>(RedisServer::Options{"--replicaof", "127.0.0.1 " + std::to_string(link->port())});
    address = std::make_unique<CuttingProxy>(primary->port());
    primary->wait_for({"INFO", "replication"}, "state=online");
    replica->wait_for({"INFO", "replication"}, "master_link_status:up");
  }
  void fail_over() {
    primary->kill();
    ASSERT_EQ(replica->ask({"REPLICAOF", "NO", "ONE"}), "OK");
    address->redirect(replica->port());
  }
  std::string url(const std::string& rest = {}) const { return url_of(address->port(), rest); }

  std::unique_ptr<RedisServer> primary, replica;
  std::unique_ptr<CuttingProxy> link, address;
};

TEST_F(RedisFailover, that_lost_nothing_goes_unnoticed) {
  begin();
  const auto store = open_redis(url("?wait_replicas=1"));
  ASSERT_TRUE(probe(store).claims("order:1", owner_1));
  fail_over();
  wait_until([&] { return replica->ask({"ROLE"}).starts_with("master"); });
  const auto after = open_redis(url());
  EXPECT_FALSE(probe(after).claims("order:1", owner_2));
  EXPECT_EQ(probe(open_redis(url())).finalize(finalize_request("order:1", owner_1, accepted())),
            FinalizeResult::finalized);
}

TEST_F(RedisFailover, loses_an_answered_claim_and_who_saw_it_refuses_the_promoted_server) {
  begin();
  const auto store = open_redis(url());
  ASSERT_TRUE(probe(store).claims("order:0", owner_1));
  replica->wait_for({"EXISTS", "sms:key:{order:0}"}, "1");
  link->hang();
  ASSERT_TRUE(probe(store).claims("order:1", owner_1)) << "an asynchronous replica keeps nothing from being answered";
  fail_over();

  const auto other_process = open_redis(url());
  EXPECT_TRUE(probe(other_process).claims("order:1", owner_2)) << "the second owner: this is what a failover can lose";

  EXPECT_THAT(why_unavailable(store, "order:2"), HasSubstr("has lost writes"));
  EXPECT_THAT(why_unavailable(store, "order:2"), HasSubstr("has lost writes"));
  EXPECT_THROW(probe(store).get("order:1"), StoreUnavailableError);
  EXPECT_THROW(store->operators()->stats({}), StoreUnavailableError);
  EXPECT_THAT(finding(store, "server"), HasSubstr("has lost writes"));

  // By another process, as the tool is one.
  other_process->maintenance()->acknowledge_restore({"anna", "failover of last night"});
  wait_until([&] { return why_unavailable(store, "order:3") == "answered"; });
  const auto audit = store->operators()->audit(10, std::nullopt);
  ASSERT_EQ(audit.size(), 1U);
  EXPECT_EQ(audit[0].who, "anna");
  EXPECT_EQ(audit[0].action, "acknowledge-restore");
}

TEST_F(RedisFailover, loses_nothing_that_was_answered_when_replicas_are_waited_for) {
  begin({"--min-replicas-to-write", "1", "--min-replicas-max-lag", "10"});
  const auto store = open_redis(url("?wait_replicas=1&wait_timeout=200ms&operation_timeout=2000ms"));
  ASSERT_TRUE(probe(store).claims("order:0", owner_1));
  link->hang();
  EXPECT_THAT(why_unavailable(store, "order:1"), HasSubstr("too few replicas"));
  link->pass();
  wait_until([&] { return why_unavailable(store, "order:1") == "answered"; });
  link->hang();
  EXPECT_THAT(why_unavailable(store, "order:2"), HasSubstr("too few replicas"));
  primary->ask({"CONFIG", "SET", "min-replicas-max-lag", "1"});
  primary->wait_for({"SET", "x", "1"}, "NOREPLICAS");
  EXPECT_THAT(why_unavailable(store, "order:3"), HasSubstr("NOREPLICAS"));
  fail_over();
  EXPECT_FALSE(probe(open_redis(url())).claims("order:1", owner_2)) << "it was answered: it must be there";
  EXPECT_TRUE(probe(open_redis(url())).claims("order:2", owner_2)) << "nobody was told that it was claimed";
}

TEST(RedisLoss, an_emptied_server_is_noticed_at_once) {
  const RedisServer server;
  const auto store = open_redis(server.url());
  ASSERT_TRUE(probe(store).claims("order:1", owner_1));
  const auto identity = store->identity();
  server.ask({"FLUSHALL"});
  EXPECT_THAT(why_unavailable(store, "order:1"), HasSubstr("lost"));
  store->maintenance()->acknowledge_restore({"anna"});
  wait_until([&] { return why_unavailable(store, "order:2") == "answered"; });
  EXPECT_NE(store->identity(), identity);
}

TEST(RedisLoss, a_server_that_forgot_everything_in_a_restart_is_refused) {
  RedisServer server;
  const auto store = open_redis(server.url());
  ASSERT_TRUE(probe(store).claims("order:1", owner_1));
  server.kill();
  server.start();
  EXPECT_THAT(why_unavailable(store, "order:1"), HasSubstr("lost"));
  EXPECT_EQ(server.ask({"DBSIZE"}), "0") << "nothing may be written there";
}

TEST(RedisLoss, an_emptied_server_that_another_client_uses_is_another_store) {
  RedisServer server;
  const auto store = open_redis(server.url());
  ASSERT_TRUE(probe(store).claims("order:1", owner_1));
  server.kill();
  server.start();
  ASSERT_EQ(why_unavailable(open_redis(server.url())), "answered");
  EXPECT_THAT(why_unavailable(store, "order:1"), HasSubstr("another store"));
}

TEST(RedisLoss, an_older_copy_of_the_data_is_refused) {
  RedisServer server;
  const auto store = open_redis(server.url());
  ASSERT_TRUE(probe(store).claims("order:1", owner_1));
  ASSERT_EQ(server.ask({"SAVE"}), "OK");
  ASSERT_TRUE(probe(store).claims("order:2", owner_1));
  server.kill();
  server.start();
  ASSERT_EQ(server.ask({"EXISTS", "sms:key:{order:1}"}), "1");
  EXPECT_THAT(why_unavailable(store, "order:2"), HasSubstr("has lost writes"));
}

TEST(RedisLoss, keeps_all_that_it_answered_through_crashes_when_it_flushes_always) {
  RedisServer server({"--appendonly", "yes", "--appendfsync", "always"});
  const auto store = open_redis(server.url("?operation_timeout=30000ms"));
  std::map<std::string, std::string> told;
  std::atomic<bool> stop = false;
  std::atomic<int> claimed = 0;
  std::vector<std::thread> callers;
  std::mutex mutex;
  for (int caller = 0; caller < 4; ++caller) {
    callers.emplace_back([&, caller] {
      auto calls = probe(store);
      for (int i = 0; !stop; ++i) {
        const auto key = std::to_string(caller) + ":" + std::to_string(i);
        if (!calls.claims(key, owner_1)) ADD_FAILURE() << key << " was held by somebody";
        const bool finalized =
            calls.finalize(finalize_request(key, owner_1, accepted(key))) == FinalizeResult::finalized;
        const std::lock_guard lock(mutex);
        told[key] = finalized ? "accepted" : "not owner";
        ++claimed;
      }
    });
  }
  for (int round = 0; round < 6; ++round) {
    const int before = claimed;
    wait_until([&] { return claimed > before + 40; });
    round % 2 == 0 ? server.kill() : server.stop();
    server.start();
  }
  stop = true;
  for (auto& caller : callers) caller.join();
  auto calls = probe(store);
  for (const auto& [key, state] : told) {
    EXPECT_EQ(state, "accepted") << key;
    EXPECT_EQ(calls.get(key), to_record(accepted(key))) << key;
  }
}

}  // namespace
}  // namespace sms::tests
