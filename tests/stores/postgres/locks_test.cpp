#include "stores/postgres/postgres_fixture.hpp"

namespace sms::tests {
namespace {

TEST_F(PostgresTest, claims_nothing_after_its_caller_was_told_that_the_row_is_held) {
  const auto store = open(1s);
  probe(store).store_final("order:1", owner_1, rejected());
  auto other = session();
  other.rows("begin; update sms_idempotency set updated_at = 1 where key = 'order:1'");

  const auto answer = start_claim(*store, "order:1", owner_2).get();
  ASSERT_FALSE(answer);
  EXPECT_THAT(answer.error().what(), HasSubstr("held by another session"));

  other.rows("commit");
  std::this_thread::sleep_for(1s);
  EXPECT_EQ(row("state", "order:1"), "rejected");
}

TEST_F(PostgresTest, claims_nothing_after_its_caller_went_away) {
  auto store = open(2s);
  probe(store).store_final("order:1", owner_1, rejected());
  auto other = session();
  other.rows("begin; update sms_idempotency set updated_at = 1 where key = 'order:1'");
  std::vector<Claim> answers;
  for (const std::string key : {"order:0", "order:1", "order:2", "order:3"}) {
    answers.push_back(start_claim(*store, key, owner_2));
  }
  wait_for_lock_waiter();
  store.reset();
  std::size_t refused = 0;
  for (auto& answer : answers) refused += answer.get() ? 0U : 1U;
  EXPECT_GE(refused, 1U);

  std::this_thread::sleep_for(1s);
  const auto before = count_of("reservation_id = '" + owner_2 + "'");
  other.rows("commit");
  std::this_thread::sleep_for(2s);
  EXPECT_EQ(row("state", "order:1"), "rejected");
  EXPECT_EQ(count_of("reservation_id = '" + owner_2 + "'"), before);
}

TEST_F(PostgresTest, claims_no_key_late_whose_insertion_by_another_is_rolled_back) {
  const auto store = open(1s);
  auto other = session();
  other.rows("begin; insert into sms_idempotency (key, fingerprint, state) values ('order:1', 'f', 'reserved')");
  EXPECT_THAT(why_unavailable(*store, "order:1"), HasSubstr("held by another session"));
  other.rows("rollback");
  std::this_thread::sleep_for(1s);
  EXPECT_EQ(count_of("true"), "0");
}

TEST_F(PostgresTest, serves_other_keys_while_rows_are_held) {
  const auto store = open();
  auto other = session();
  other.rows(
      "begin; insert into sms_idempotency (key, fingerprint, state) select 'held:' || n, 'f', 'reserved' "
      "from generate_series(1, 5) n");
  std::vector<Claim> held, free;
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 1; i <= 200; ++i) {
    if (i % 40 == 0) held.push_back(start_claim(*store, "held:" + std::to_string(i / 40)));
    free.push_back(start_claim(*store, "free:" + std::to_string(i)));
  }
  for (auto& answer : free) EXPECT_TRUE(won(answer.get()));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 3s);
  for (const auto& answer : held) EXPECT_NE(answer.wait_for(0s), std::future_status::ready);
  other.rows("rollback");
  for (auto& answer : held) EXPECT_TRUE(won(answer.get()));
}

TEST_F(PostgresTest, fails_a_key_that_cannot_be_stored_and_no_other) {
  const auto store = open();
  std::vector<Claim> good, bad;
  for (int i = 0; i < 100; ++i) {
    good.push_back(start_claim(*store, "order:" + std::to_string(i)));
    if (i % 50 != 7) continue;
    bad.push_back(start_claim(*store, std::string("nul\0key", 7)));
    bad.push_back(start_claim(*store, "latin \xe9"));
    std::string long_key;
    for (int j = 0; j < 200; ++j) long_key += testing::fingerprint_a + std::to_string(j * 7919);
    bad.push_back(start_claim(*store, long_key + std::to_string(i)));
  }
  for (auto& answer : good) EXPECT_TRUE(won(answer.get()));
  std::size_t failed = 0;
  for (auto& answer : bad) failed += answer.get() ? 0U : 1U;
  // A long text may be compressed into what an index takes.
  EXPECT_GE(failed, 4U);
}

TEST_F(PostgresTest, loses_no_outcome_for_a_character) {
  const auto store = open();
  auto calls = probe(store);
  auto record = std::get<AcceptedRecord>(accepted(std::string("SM\0\xff", 4) + "1"));
  record.result.foreign = {{"raw", R"("\u0000 \ud800 \\u0000 \ud83d\ude00")"}};
  ASSERT_TRUE(calls.claims("order:1", owner_1));
  EXPECT_EQ(calls.finalize(finalize_request("order:1", owner_1, record)), FinalizeResult::finalized);
  EXPECT_EQ(calls.finalize(finalize_request("order:1", owner_1, record)), FinalizeResult::finalized);
  EXPECT_EQ(row("record -> 'result' ->> 'raw'", "order:1"), "\uFFFD \uFFFD \\u0000 \U0001F600");
  EXPECT_EQ(row("record -> 'result' ->> 'providerId'", "order:1"), row("provider_id", "order:1"));
  const auto kept = calls.get("order:1");
  ASSERT_TRUE(kept);
  EXPECT_THAT(std::get<AcceptedRecord>(*kept).result.provider_id, ::testing::StartsWith("SM\uFFFD"));
}

TEST_F(PostgresTest, purges_no_reservation_that_takes_an_expired_row_over) {
  const auto store = open();
  probe(store).store_final("order:1", owner_1, accepted(), 1ms);
  StoreProbe::wait(10ms);
  auto other = session();
  other.rows(
      "begin; update sms_idempotency set state = 'reserved', expires_at = null, record = null, reservation_id = 'o', "
      "reserved_at = 1 where key = 'order:1'");
  EXPECT_EQ(store->operators()->purge_expired(10, {}), 0U);
  other.rows("commit");
  EXPECT_EQ(store->operators()->purge_expired(10, {}), 0U);
  EXPECT_EQ(row("state", "order:1"), "reserved");
}

TEST_F(PostgresTest, purges_while_keys_are_claimed_and_loses_no_claim) {
  const auto store = open();
  constexpr int keys = 400;
  session().rows(
      "insert into sms_idempotency (key, fingerprint, state, record, expires_at) select 'order:' || n, 'f', "
      "'accepted', "
      "'{}', 1 from generate_series(1, 400) n");
  auto purge = std::async(std::launch::async, [&] {
    std::size_t purged = 0;
    for (int i = 0; i < 100; ++i) purged += store->operators()->purge_expired(7, {});
    return purged;
  });
  std::vector<Claim> answers;
  for (int i = keys; i > 0; --i) answers.push_back(start_claim(*store, "order:" + std::to_string(i)));
  for (auto& answer : answers) EXPECT_TRUE(won(answer.get()));
  EXPECT_LE(purge.get(), static_cast<std::size_t>(keys));
  EXPECT_EQ(count_of("state = 'reserved' and reservation_id = '" + owner_1 + "'"), std::to_string(keys));
}

}  // namespace
}  // namespace sms::tests
