#include "stores/clock_offset.hpp"
#include "unit/stores/sqlite_fixture.hpp"

namespace sms::tests {
namespace {

TEST_F(SqliteTest, sends_once_whatever_the_clocks_say_until_a_clock_lets_a_record_expire) {
  expect_one_message_whatever_the_clocks([&] { return open(); }, Expiry::of_the_caller);
}

}  // namespace
}  // namespace sms::tests
