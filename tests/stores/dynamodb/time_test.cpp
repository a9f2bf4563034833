#include <sms/testing/fake_clock.hpp>

#include "stores/dynamodb/dynamo_fixture.hpp"
#include "stores/dynamodb/server_clock.hpp"

namespace sms::tests {
namespace {

using ::testing::HasSubstr;

class DynamoTime : public DynamoTest {
 protected:
  DynamodbOptions of_machine(std::chrono::milliseconds ahead) {
    auto options = stub_options(stub);
    options.clock = std::make_shared<OffsetClock>(ahead);
    return options;
  }
};

TEST_F(DynamoTime, expiry_is_compared_though_nothing_was_deleted) {
  auto store = probe(open());
  store.store_final("order:1", owner_1, accepted(), 20ms);
  StoreProbe::wait(50ms);
  EXPECT_EQ(attribute("order:1", "state"), "accepted") << "time to live has not run";
  EXPECT_FALSE(store.get("order:1"));
  EXPECT_TRUE(store.claims("order:1", owner_2));
  EXPECT_EQ(attribute("order:1", "ttl"), "") << "a reservation must not be deleted by time to live";
  EXPECT_EQ(attribute("order:1", "expires_at"), "");
}

TEST_F(DynamoTime, time_to_live_never_comes_before_the_expiry) {
  auto store = probe(open());
  store.store_final("order:1", owner_1, accepted(), 1'500ms);
  EXPECT_GE(std::stoll(attribute("order:1", "ttl")) * 1'000, std::stoll(attribute("order:1", "expires_at")));
  store.store_final("order:2", owner_1, unknown());
  EXPECT_EQ(attribute("order:2", "ttl"), "") << "an unknown record stays";
}

TEST_F(DynamoTime, a_machine_whose_clock_is_an_hour_off_claims_nothing_twice) {
  auto right = probe(open());
  auto ahead = probe(open(of_machine(1h)));
  auto behind = probe(open(of_machine(-1h)));
  right.store_final("order:1", owner_1, accepted(), 10min);
  EXPECT_FALSE(ahead.claims("order:1", owner_2));
  EXPECT_FALSE(behind.claims("order:1", owner_2));
  EXPECT_EQ(ahead.get("order:1"), to_record(accepted()));
  behind.store_final("order:2", owner_1, accepted(), 10min);
  EXPECT_FALSE(ahead.claims("order:2", owner_2));

  EXPECT_TRUE(right.claims("order:3", owner_1));
  for (auto* other : {&ahead, &behind}) {
    const auto answer = other->reserve(reserve_request("order:3", owner_2));
    ASSERT_TRUE(std::holds_alternative<Existing>(answer));
    EXPECT_LT(std::get<Existing>(answer).age, 10s);
  }
}

TEST_F(DynamoTime, what_a_machine_an_hour_off_writes_has_the_servers_time) {
  auto ahead = probe(open(of_machine(1h)));
  EXPECT_TRUE(ahead.claims("order:1", owner_1));
  const auto written = WallTime(std::chrono::milliseconds(std::stoll(attribute("order:1", "reserved_at"))));
  EXPECT_LT(std::chrono::abs(written - StoreProbe::now()), 10s);
}

TEST_F(DynamoTime, a_clock_that_is_off_is_found) {
  const auto findings = open(of_machine(1h))->maintenance()->examine();
  const auto clock = std::ranges::find(findings, "clock", &StoreFinding::topic);
  ASSERT_NE(clock, findings.end());
  EXPECT_EQ(clock->level, StoreFinding::Level::warning);
  EXPECT_THAT(clock->text, HasSubstr("ahead"));
}

TEST_F(DynamoTime, a_request_refused_for_its_time_is_signed_again_by_the_servers_clock) {
  auto store = probe(open());
  EXPECT_TRUE(store.claims("order:1", owner_1));
  stub.set_skew(1h);
  EXPECT_TRUE(store.claims("order:2", owner_1));
  const auto written = WallTime(std::chrono::milliseconds(std::stoll(attribute("order:2", "reserved_at"))));
  EXPECT_GT(written - StoreProbe::now(), 50min);
  stub.set_skew(-1h);
  EXPECT_TRUE(store.claims("order:3", owner_1));
}

TEST_F(DynamoTime, the_word_for_a_wrong_time_does_not_matter) {
  auto store = probe(open());
  stub.set_skew(2min);
  refuse("RequestTimeTooSkewed", of_claim);
  EXPECT_TRUE(store.claims("order:1", owner_1));
}

TEST_F(DynamoTime, a_signature_that_is_wrong_at_the_right_time_is_refused_once) {
  auto options = stub_options(stub);
  options.credentials = static_aws_credentials({"AKIDSTUB", "another-secret", {}, {}});
  const auto store = dynamodb_idempotency_store(options);
  const auto reason = why_not([&] { probe(store).claims("order:1", owner_1); });
  EXPECT_THAT(reason, HasSubstr("InvalidSignatureException"));
  EXPECT_THAT(reason, ::testing::Not(HasSubstr("another-secret")));
  EXPECT_EQ(stub.received("DescribeTable"), 1);
}

class ServerClockTest : public ::testing::Test {
 protected:
  std::shared_ptr<testing::FakeClock> local =
      std::make_shared<testing::FakeClock>(WallTime(std::chrono::sys_days(std::chrono::year(2026) / 12 / 3) + 10h));
  detail::ServerClock clock{local};
};

TEST_F(ServerClockTest, keeps_to_a_sound_clock_of_the_machine_to_the_millisecond) {
  local->advance(300ms);
  const auto sent = local->boot_time();
  local->advance(20ms);
  clock.observe("Thu, 03 Dec 2026 10:00:00 GMT", sent);
  EXPECT_EQ(clock.now(), local->now());
  EXPECT_EQ(clock.ahead(), 0ms);
}

TEST_F(ServerClockTest, is_within_a_second_of_the_server_after_one_answer) {
  const auto sent = local->boot_time();
  local->advance(20ms);
  clock.observe("Thu, 03 Dec 2026 11:00:00 GMT", sent);
  const auto server = WallTime(std::chrono::sys_days(std::chrono::year(2026) / 12 / 3) + 11h);
  EXPECT_GE(clock.now(), server);
  EXPECT_LE(clock.now(), server + 1s + 20ms);
}

TEST_F(ServerClockTest, is_not_moved_by_a_jump_of_the_wall_clock) {
  clock.observe("Thu, 03 Dec 2026 10:00:00 GMT", local->boot_time());
  const auto before = clock.now();
  local->set_wall(local->now() + 24h);
  EXPECT_EQ(clock.now(), before);
  local->advance(1s);
  EXPECT_EQ(clock.now(), before + 1s);
}

TEST_F(ServerClockTest, ignores_what_is_no_date) {
  for (const auto* text : {"", "120", "yesterday", "Thu, 99 Dec 2026 10:00:00 GMT"}) {
    clock.observe(text, local->boot_time());
    EXPECT_FALSE(clock.observed()) << text;
  }
  EXPECT_EQ(clock.now(), local->now());
}

}  // namespace
}  // namespace sms::tests
