#include "contract/process_race.hpp"
#include "stores/redis/names.hpp"
#include "stores/redis/redis_fixture.hpp"
#include "support/child_process.hpp"

#include <map>
#include <set>
#include <vector>

namespace sms::tests {
namespace {

/// Three primaries on ports of their own.
class RedisCluster : public ::testing::Test {
 protected:
  RedisCluster() {
    for (int i = 0; i < 3; ++i) {
      nodes.push_back(std::make_unique<RedisServer>(RedisServer::Options{"--cluster-enabled", "yes", "--cluster-port",
                                                                         std::to_string(free_port()),
                                                                         "--cluster-node-timeout", "1000"}));
    }
    std::string create = "redis-cli --cluster create";
    for (const auto& node : nodes) create += " 127.0.0.1:" + std::to_string(node->port());
    ChildProcess shell({"/bin/sh", "-c", create + " --cluster-yes"});
    shell.read_all();
    for (std::string line = "."; !line.empty();) line = shell.read_line();
    EXPECT_EQ(shell.wait(), 0);
    for (const auto& node : nodes) node->wait_for({"CLUSTER", "INFO"}, "cluster_state:ok");
  }
  const RedisServer& owner_of(const std::string& name) const {
    const auto slot = std::to_string(detail::redis_slot(name));
    for (const auto& node : nodes) {
      if (node->ask({"CLUSTER", "COUNTKEYSINSLOT", slot}) != "0") return *node;
    }
    return *nodes.front();
  }

  std::vector<std::unique_ptr<RedisServer>> nodes;
};

TEST(RedisSlots, are_those_of_the_cluster_specification) {
  EXPECT_EQ(detail::redis_slot("123456789"), 12739);  // its example: 31C3
  EXPECT_EQ(detail::redis_slot("a{123456789}b"), 12739);
  const detail::RedisNames names("sms:");
  EXPECT_EQ(detail::redis_slot(names.key("a}{b")), detail::redis_slot(names.audit("a}{b")));
  EXPECT_EQ(detail::redis_slot(names.key("")), detail::redis_slot(names.audit("")));
  EXPECT_EQ(detail::redis_slot(names.store()), detail::redis_slot(names.mark("writer")));
}

TEST_F(RedisCluster, keeps_each_key_where_the_cluster_wants_it) {
  const auto store = open_redis(nodes[1]->url());
  auto calls = probe(store);
  std::set<std::string> keys;
  for (int i = 0; i < 60; ++i) {
    const auto key = "order:" + std::to_string(i);
    keys.insert(key);
    calls.store_final(key, owner_1, i % 2 == 0 ? accepted(key) : unknown());
  }
  for (const auto& node : nodes) EXPECT_NE(node->ask({"DBSIZE"}), "0");

  ListRequest page;
  page.filter = KeyFilter::all;
  page.limit = 25;
  std::set<std::string> listed;
  do {
    const auto found = calls.operators().list(page);
    for (const auto& view : found.keys) listed.insert(view.key);
    page.cursor = found.next_cursor;
  } while (!page.cursor.empty());
  EXPECT_EQ(listed, keys);
  EXPECT_EQ(calls.operators().stats({}).unknown, 30U);

  ReleaseRequest release;
  release.key = "order:1";
  release.token = calls.token("order:1");
  release.settle = 0ms;
  EXPECT_EQ(calls.operators().release(release), OperatorResult::done);
  EXPECT_EQ(calls.operators().audit(10, std::nullopt).size(), 1U);
  EXPECT_EQ(open_redis(nodes[2]->url())->identity(), store->identity());
}

TEST_F(RedisCluster, is_followed_while_it_moves_keys) {
  const auto store = open_redis(nodes[0]->url());
  auto calls = probe(store);
  const std::string key = "order:1";
  const std::string name = "sms:key:{order:1}";
  ASSERT_TRUE(calls.claims(key, owner_1));
  const auto slot = std::to_string(detail::redis_slot(name));
  const auto& from = owner_of(name);
  const auto& to = &from == nodes[0].get() ? *nodes[1] : *nodes[0];
  const auto from_id = from.ask({"CLUSTER", "MYID"});
  const auto to_id = to.ask({"CLUSTER", "MYID"});
  EXPECT_EQ(to.ask({"CLUSTER", "SETSLOT", slot, "IMPORTING", from_id}), "OK");
  EXPECT_EQ(from.ask({"CLUSTER", "SETSLOT", slot, "MIGRATING", to_id}), "OK");
  EXPECT_EQ(calls.mark({key, owner_1, {"twilio", 1, {}}}), MarkResult::marked) << "it has not been moved";
  EXPECT_EQ(from.ask({"MIGRATE", "127.0.0.1", std::to_string(to.port()), name, "0", "5000"}), "OK");
  EXPECT_FALSE(calls.claims(key, owner_2)) << "ASK";
  EXPECT_EQ(calls.finalize(finalize_request(key, owner_1, accepted())), FinalizeResult::finalized);
  for (const auto& node : nodes) node->ask({"CLUSTER", "SETSLOT", slot, "NODE", to_id});
  calls.expect_record(key, accepted(), "MOVED loses the record");
  EXPECT_THAT(calls.take_faults(), ::testing::IsEmpty());
}

TEST_F(RedisCluster, never_lets_processes_own_a_key_at_the_same_time) {
  expect_single_owners(SMS_STORE_WORKER, nodes[2]->url("?prefix=race:"));
}

}  // namespace
}  // namespace sms::tests
