#include "stores/clock_offset.hpp"
#include "stores/postgres/postgres_fixture.hpp"

namespace sms::tests {
namespace {

TEST_F(PostgresTest, sends_once_whatever_the_clocks_of_the_hosts_say) {
  expect_one_message_whatever_the_clocks([&] { return open(); }, Expiry::of_the_store);
}

}  // namespace
}  // namespace sms::tests
