#include <sms/operator_tools.hpp>

#include "stores/postgres/postgres_fixture.hpp"

#include <atomic>

namespace sms::tests {
namespace {

TEST_F(PostgresTest, purges_a_million_expired_rows_in_batches_while_sends_go_on) {
  constexpr std::size_t rows = 1'000'000;
  constexpr std::size_t batch = 5'000;
  const auto store = open();
  auto other = session();
  other.rows(
      "insert into sms_idempotency (key, fingerprint, state, record, expires_at, updated_at) "
      "select 'old:' || n, repeat('a', 64), 'rejected', '{}', 1, 1 from generate_series(1, " +
      std::to_string(rows) + ") n");

  std::atomic<bool> purging{true};
  std::atomic<std::size_t> sent{0};
  std::atomic<std::size_t> failed{0};
  std::thread sender([&] {
    for (std::size_t i = 0; purging; ++i) {
      auto calls = probe(store);
      const auto key = "new:" + std::to_string(i);
      calls.store_final(key, owner_1, accepted(key));
      (calls.take_faults().empty() ? sent : failed) += 1;
    }
  });
  PurgeOptions options;
  options.batch = batch;
  EXPECT_EQ(purge_all(*store->operators(), options), rows);
  purging = false;
  sender.join();
  EXPECT_GT(sent, 100U);
  EXPECT_EQ(failed, 0U);
  EXPECT_EQ(other.value("select count(*) from sms_idempotency"), std::to_string(sent));
}

}  // namespace
}  // namespace sms::tests
