#include "unit/stores/sqlite_fixture.hpp"

namespace sms::tests {
namespace {

using ::testing::IsEmpty;

constexpr WallTime noon{std::chrono::milliseconds(1'796'040'000'750)};

class SqliteRowsTest : public SqliteTest {
 protected:
  static ReserveRequest reserve_at(WallTime now, const std::string& key = "order:1",
                                   const std::string& owner = owner_1) {
    auto request = reserve_request(key, owner);
    request.now = now;
    return request;
  }
  static FinalizeRequest finalize_at(WallTime now, FinalIdempotencyRecord record, std::chrono::milliseconds ttl,
                                     const std::string& key = "order:1") {
    auto request = finalize_request(key, owner_1, std::move(record), ttl);
    request.now = now;
    return request;
  }
  std::optional<std::chrono::milliseconds> age(const std::string& key, WallTime now) {
    const auto answer = reserve(*store, reserve_at(now, key, owner_2)).get().value();
    const auto* existing = std::get_if<Existing>(&answer);
    return existing == nullptr ? std::nullopt : existing->age;
  }

  std::shared_ptr<IdempotencyStore> store = open();
  RawDatabase raw{path};
};

TEST_F(SqliteRowsTest, writes_a_reservation_into_the_columns_of_the_contract) {
  ASSERT_TRUE(claims(*store, reserve_at(noon)));
  const auto row = raw.value(
      "select key, fingerprint, state, reservation_id, record, expires_at, reserved_at between 1796040000750 and "
      "1796040005750 from sms_idempotency");
  EXPECT_EQ(row, "order:1|" + testing::fingerprint_a + "|reserved|" + owner_1 + "|||1");
}

TEST_F(SqliteRowsTest, writes_a_final_record_with_its_expiry_in_milliseconds) {
  ASSERT_TRUE(claims(*store, reserve_at(noon)));
  ASSERT_TRUE(finalizes(*store, finalize_at(noon, accepted(), 48h)));
  EXPECT_EQ(raw.value("select state, reservation_id, reserved_at, expires_at from sms_idempotency"),
            "accepted|" + owner_1 + "||" + std::to_string(1'796'040'000'750 + 172'800'000));
  EXPECT_EQ(raw.value("select record from sms_idempotency"), to_json(accepted()));
  EXPECT_EQ(raw.value("select typeof(record) from sms_idempotency"), "text");
}

TEST_F(SqliteRowsTest, lets_a_scheduled_message_live_from_its_hour) {
  ASSERT_TRUE(claims(*store, reserve_at(noon)));
  auto request = finalize_at(noon, accepted(), 24h);
  request.send_at = noon + 72h;
  ASSERT_TRUE(finalizes(*store, request));
  EXPECT_EQ(raw.value("select expires_at - 1796040000750 from sms_idempotency"), std::to_string(96 * 3'600'000));
}

TEST_F(SqliteRowsTest, never_gives_an_unknown_record_an_end) {
  ASSERT_TRUE(claims(*store, reserve_at(noon)));
  ASSERT_TRUE(finalizes(*store, finalize_at(noon, unknown(), 1ms)));
  EXPECT_EQ(raw.value("select state, expires_at from sms_idempotency"), "unknown|");
  EXPECT_TRUE(get(*store, "order:1", noon + std::chrono::hours(24 * 3650)).value());
  raw.execute("update sms_idempotency set expires_at = 1");
  EXPECT_TRUE(get(*store, "order:1", noon).value()) << "an end that another program wrote";
  EXPECT_FALSE(claims(*store, reserve_at(noon, "order:1", owner_2)));
}

TEST_F(SqliteRowsTest, ends_a_record_in_the_very_millisecond) {
  ASSERT_TRUE(claims(*store, reserve_at(noon)));
  ASSERT_TRUE(finalizes(*store, finalize_at(noon, accepted(), 24h)));
  EXPECT_TRUE(get(*store, "order:1", noon + 24h - 1ms).value());
  EXPECT_FALSE(get(*store, "order:1", noon + 24h).value());
  EXPECT_FALSE(claims(*store, reserve_at(noon + 23h, "order:1", owner_2)));
  EXPECT_TRUE(claims(*store, reserve_at(noon + 24h, "order:1", owner_2)));
  EXPECT_EQ(raw.value("select state, reservation_id, expires_at, record, provider_id from sms_idempotency"),
            "reserved|" + owner_2 + "|||");
}

TEST_F(SqliteRowsTest, writes_a_posting_mark_beside_the_reservation) {
  ASSERT_TRUE(claims(*store, reserve_at(noon)));
  Pending<MarkResult> marked;
  MarkRequest request;
  request.key = "order:1";
  request.reservation_id = owner_1;
  request.posting = {"twilio", 2, noon};
  store->evidence()->mark(request, marked.callback());
  ASSERT_EQ(marked.get().value(), MarkResult::marked);
  EXPECT_EQ(raw.value("select state, record from sms_idempotency"),
            R"(reserved|{"posting":{"provider":"twilio","attempt":2,"at":1796040000750}})");
}

TEST_F(SqliteRowsTest, keeps_the_time_of_a_claim_when_it_is_repeated) {
  ASSERT_TRUE(claims(*store, reserve_at(noon)));
  const auto before = raw.value("select reserved_at, since_boot from sms_idempotency");
  ASSERT_TRUE(claims(*store, reserve_at(noon + 1h)));
  EXPECT_EQ(raw.value("select reserved_at, since_boot from sms_idempotency"), before);
}

TEST_F(SqliteRowsTest, measures_the_age_of_a_reservation_without_the_wall_clock) {
  ASSERT_TRUE(claims(*store, reserve_at(noon)));
  EXPECT_LT(*age("order:1", noon + 24h), 1min) << "the wall clock was set forward";
  EXPECT_GE(*age("order:1", noon - 24h), 0ms) << "the wall clock was set back";
  EXPECT_FALSE(store->operators()->show("order:1", noon + 24h)->stale);
}

TEST_F(SqliteRowsTest, measures_the_age_by_the_wall_clock_after_a_restart_of_the_machine) {
  ASSERT_TRUE(claims(*store, reserve_at(noon)));
  raw.execute("update sms_idempotency set since_boot = '11111111-2222-3333-4444-555555555555:12', reserved_at = " +
              std::to_string(noon.time_since_epoch().count()));
  EXPECT_GE(*age("order:1", noon + 24h), 24h);
  EXPECT_EQ(*age("order:1", noon - 24h), 0ms);
  EXPECT_TRUE(store->operators()->show("order:1", noon + 24h)->stale);
}

TEST_F(SqliteRowsTest, reads_rows_that_another_implementation_wrote) {
  const auto noon_text = std::to_string(noon.time_since_epoch().count());
  raw.execute("insert into sms_idempotency values ('reserved', 'f1', 'reserved', 'their-own-id', " + noon_text +
              ", null, null, null, null, null)");
  raw.execute("insert into sms_idempotency values ('accepted', 'f2', 'accepted', null, null, '" + to_json(accepted()) +
              "', " + std::to_string(noon.time_since_epoch().count() + 1'000) + ", null, null, null)");
  const auto record = get(*store, "reserved", noon).value();
  ASSERT_TRUE(record);
  EXPECT_EQ(std::get<ReservedRecord>(*record).reservation_id, "their-own-id");
  EXPECT_EQ(*age("reserved", noon + 10min), 10min);
  EXPECT_EQ(get(*store, "accepted", noon).value(), to_record(accepted()));
  EXPECT_FALSE(get(*store, "accepted", noon + 1s).value());
  EXPECT_EQ(store->operators()->list({KeyFilter::all, {}, 0ms, 10, {}, noon}).keys.size(), 2U);
}

TEST_F(SqliteRowsTest, holds_and_lists_a_reservation_without_owner_or_time) {
  raw.execute("insert into sms_idempotency (key, fingerprint, state) values ('order:1', '" + testing::fingerprint_a +
              "', 'reserved')");
  EXPECT_FALSE(claims(*store, reserve_at(noon)));
  EXPECT_FALSE(claims(*store, reserve_at(noon, "order:1", "")));
  EXPECT_FALSE(finalizes(*store, finalize_request("order:1", "", accepted())));
  const auto page = store->operators()->list({KeyFilter::open, {}, 0ms, 10, {}, noon});
  ASSERT_EQ(page.keys.size(), 1U);
  EXPECT_TRUE(page.keys.front().malformed);
  EXPECT_EQ(store->operators()->stats(noon).stale, 1U);

  ReleaseRequest release = {"order:1", page.keys.front().token, {"me", "broken"}, 5min, false, noon};
  EXPECT_EQ(store->operators()->release(release), OperatorResult::not_settled);
  release.force = true;
  EXPECT_EQ(store->operators()->release(release), OperatorResult::done);
  EXPECT_TRUE(claims(*store, reserve_at(noon)));
}

TEST_F(SqliteRowsTest, takes_a_record_that_cannot_be_read_for_an_error_and_never_for_absent) {
  for (const std::string record : {"", "{}", "nonsense", R"({"state":"rejected"})", "null"}) {
    raw.execute("delete from sms_idempotency");
    raw.execute("insert into sms_idempotency (key, fingerprint, state, record) values ('order:1', 'f', 'accepted', '" +
                record + "')");
    const auto read = get(*store, "order:1");
    ASSERT_FALSE(read) << record;
    EXPECT_EQ(read.error().code(), ErrorCode::store_unavailable);
    EXPECT_FALSE(reserve(*store, reserve_request("order:1", owner_1)).get()) << record;
    EXPECT_EQ(raw.value("select state, record from sms_idempotency"), "accepted|" + record);
    EXPECT_TRUE(claims(*store, "other" + record, owner_1)) << "one bad row must not stop the others";
  }
}

TEST_F(SqliteRowsTest, takes_any_key_that_the_client_takes_and_more) {
  const std::string nul("a\0b", 3);
  ASSERT_TRUE(claims(*store, nul, owner_1));
  EXPECT_TRUE(claims(*store, "a", owner_1));
  EXPECT_FALSE(claims(*store, nul, owner_2));
}

TEST_F(SqliteRowsTest, keeps_the_largest_staleness_over_restarts) {
  auto patient = reserve_at(noon);
  patient.stale_reservation = 1h;
  ASSERT_TRUE(claims(*store, patient));
  auto hasty = reserve_at(noon, "order:2");
  hasty.stale_reservation = 1ms;
  ASSERT_TRUE(claims(*store, hasty));
  EXPECT_EQ(raw.value("select value from sms_store where name = 'stale_reservation_ms'"), "3600000");
}

TEST_F(SqliteRowsTest, writes_no_secret_and_no_body_by_itself) {
  ASSERT_TRUE(claims(*store, reserve_at(noon)));
  ASSERT_TRUE(finalizes(*store, finalize_at(noon, unknown(), 24h)));
  const auto view = store->operators()->show("order:1", noon);
  ResolveRequest resolve = {"order:1", view->token, "twilio", "SM1", {"me", "seen in the console"}, 24h, noon};
  ASSERT_EQ(store->operators()->resolve(resolve), OperatorResult::done);
  EXPECT_EQ(raw.value("select key, who, action, why, before from sms_audit"),
            "order:1|me|resolve|seen in the console|" + to_json(unknown()));
  EXPECT_EQ(raw.value("select json_extract(record, '$.result.id') from sms_idempotency"), "sms_" + owner_1);
}

TEST_F(SqliteRowsTest, lists_open_keys_through_their_index) {
  const auto plan = raw.rows(
      "explain query plan select key from sms_idempotency where state in ('reserved', 'unknown') and "
      "(coalesce(reserved_at, updated_at, 0), key) > (1, 'a') order by coalesce(reserved_at, updated_at, 0), key");
  ASSERT_EQ(plan.size(), 1U);
  EXPECT_THAT(plan.front(), ::testing::HasSubstr("sms_idempotency_open"));
  EXPECT_THAT(raw.rows("pragma foreign_key_check"), IsEmpty());
}

}  // namespace
}  // namespace sms::tests
