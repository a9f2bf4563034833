#include "stores/postgres/postgres_fixture.hpp"

namespace sms::tests {
namespace {

/// What the store of the contract's document executes for a claim, with a clock of its own.
std::vector<std::string> claim_elsewhere(PostgresSession& session, const std::string& key, const std::string& id,
                                         std::chrono::hours ahead) {
  const auto now = std::to_string((StoreProbe::now() + ahead).time_since_epoch().count());
  return session.rows(
      "insert into sms_idempotency (key, fingerprint, state, reservation_id, reserved_at, record, expires_at) values "
      "('" +
      key + "', '" + testing::fingerprint_a + "', 'reserved', '" + id + "', " + now +
      ", null, null) on conflict (key) do update set fingerprint = excluded.fingerprint, state = 'reserved', "
      "reservation_id = excluded.reservation_id, reserved_at = excluded.reserved_at, record = null, expires_at = null "
      "where (sms_idempotency.expires_at is not null and sms_idempotency.expires_at <= " +
      now +
      ") or (sms_idempotency.state = 'rejected' and sms_idempotency.fingerprint = excluded.fingerprint) "
      "returning reservation_id");
}

TEST_F(PostgresTest, guards_its_rows_against_a_writer_whose_clock_is_ahead) {
  const auto store = open();
  auto calls = probe(store);
  auto other = session();
  calls.store_final("unguarded", owner_1, accepted(), 30min);
  EXPECT_EQ(claim_elsewhere(other, "unguarded", "theirs", 1h).size(), 1U) << "what the guard is for";

  other.rows(postgres_guard_sql());
  other.rows(postgres_guard_sql());
  calls.store_final("accepted", owner_1, accepted(), 30min);
  calls.store_final("rejected", owner_1, rejected());
  calls.store_final("expired", owner_1, accepted(), 1ms);
  calls.store_final("unknown", owner_1, unknown());
  ASSERT_TRUE(calls.claims("reserved", owner_1));
  StoreProbe::wait(10ms);
  for (const std::string key : {"accepted", "unknown", "reserved"}) {
    EXPECT_TRUE(claim_elsewhere(other, key, "theirs", 1h).empty()) << key;
    EXPECT_EQ(row("reservation_id", key), owner_1);
  }
  for (const std::string key : {"rejected", "expired", "new"}) {
    EXPECT_EQ(claim_elsewhere(other, key, "theirs", 0h).size(), 1U) << key;
  }
  calls.store_final("ours", owner_1, rejected());
  EXPECT_TRUE(calls.claims("ours", owner_2));
  EXPECT_EQ(calls.finalize(finalize_request("ours", owner_2, accepted())), FinalizeResult::finalized);
}

TEST_F(PostgresTest, takes_no_column_of_its_own_for_that_of_another_writer) {
  const auto store = open();
  auto calls = probe(store);
  calls.store_final("order:1", owner_1, rejected());
  auto other = session();
  other.rows("update sms_idempotency set updated_at = 1, provider_id = 'SM9'");
  ASSERT_EQ(claim_elsewhere(other, "order:1", "theirs", 0h).size(), 1U);
  other.rows("update sms_idempotency set state = 'unknown', record = '" + to_json(unknown()) +
             "', reservation_id = null, reserved_at = null");
  const auto view = store->operators()->show("order:1", {});
  ASSERT_TRUE(view);
  EXPECT_FALSE(view->since) << "nobody knows how long it has been unknown";
  ReleaseRequest release;
  release.key = "order:1";
  release.token = view->token;
  EXPECT_EQ(store->operators()->release(release), OperatorResult::not_settled);
}

TEST_F(PostgresTest, gives_another_token_after_a_write_that_leaves_all_values_as_they_were) {
  const auto store = open();
  probe(store).store_final("order:1", owner_1, unknown());
  const auto before = store->operators()->show("order:1", {})->token;
  EXPECT_EQ(store->operators()->show("order:1", {})->token, before);
  session().rows("update sms_idempotency set state = state");
  EXPECT_NE(store->operators()->show("order:1", {})->token, before);
}

}  // namespace
}  // namespace sms::tests
