#include <sms/stores/redis.hpp>

#include "contract/process_race.hpp"
#include "contract/store_suite.hpp"
#include "servers/redis_server.hpp"

namespace sms::tests {
namespace {

RedisServer& server() {
  static RedisServer one({"--appendonly", "yes"});
  return one;
}

std::shared_ptr<IdempotencyStore> new_store() {
  static int stores = 0;
  return redis_idempotency_store(redis_options(server().url("?prefix=store" + std::to_string(++stores) + ":")));
}

constexpr StoreKind kinds[] = {{"redis", new_store}};

SMS_STORE_SUITE(kinds);

TEST(RedisProcesses, never_own_a_key_at_the_same_time) {
  expect_single_owners(SMS_STORE_WORKER, server().url("?prefix=race:"));
}

}  // namespace
}  // namespace sms::tests
