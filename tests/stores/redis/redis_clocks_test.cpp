#include "stores/clock_offset.hpp"
#include "stores/redis/redis_fixture.hpp"

namespace sms::tests {
namespace {

TEST(RedisClocks, of_the_hosts_send_nothing_twice) {
  const RedisServer server;
  expect_one_message_whatever_the_clocks([&] { return open_redis(server.url()); }, Expiry::of_the_store);
}

}  // namespace
}  // namespace sms::tests
