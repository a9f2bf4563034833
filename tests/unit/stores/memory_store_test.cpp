#include <sms/operator_store.hpp>
#include <sms/stores/memory.hpp>
#include <sms/testing/fake_clock.hpp>

#include "testing/store_probe.hpp"

#include <gtest/gtest.h>

namespace sms::tests {
namespace {

using namespace std::chrono_literals;
using testing::accepted;
using testing::finalize_request;
using testing::owner_1;
using testing::owner_2;
using testing::reserve_request;

constexpr WallTime noon{std::chrono::milliseconds(1'796'040'000'750)};

class MemoryStoreTest : public ::testing::Test {
 protected:
  ReserveResult reserve_at(WallTime now, const std::string& key = "order:1", const std::string& owner = owner_1) {
    auto request = reserve_request(key, owner);
    request.now = now;
    std::optional<ReserveResult> answer;
    store->reserve(request, [&](Expected<ReserveResult> result) { answer = std::move(result).value(); });
    return *answer;
  }
  bool claims_at(WallTime now, const std::string& key = "order:1", const std::string& owner = owner_1) {
    return std::holds_alternative<Reserved>(reserve_at(now, key, owner));
  }
  void accept_at(WallTime now, std::chrono::milliseconds ttl, const std::string& key = "order:1") {
    ASSERT_TRUE(claims_at(now, key));
    auto request = finalize_request(key, owner_1, accepted(), ttl);
    request.now = now;
    store->finalize(request, [](auto answer) { ASSERT_EQ(answer.value(), FinalizeResult::finalized); });
  }
  bool there_at(WallTime now, const std::string& key = "order:1") {
    bool there = false;
    store->get(key, now, [&](auto record) { there = record.value().has_value(); });
    return there;
  }

  std::shared_ptr<MemoryIdempotencyStore> store = memory_idempotency_store();
};

TEST_F(MemoryStoreTest, ends_a_record_in_the_very_millisecond) {
  accept_at(noon, 24h);
  EXPECT_TRUE(there_at(noon + 24h - 1ms));
  EXPECT_FALSE(there_at(noon + 24h));
  accept_at(noon + 24h, 24h);
}

TEST_F(MemoryStoreTest, erases_a_record_whatever_its_state) {
  EXPECT_FALSE(store->erase("order:1"));
  ASSERT_TRUE(claims_at(noon));
  EXPECT_TRUE(store->erase("order:1"));
  EXPECT_TRUE(claims_at(noon, "order:1", owner_2));
  EXPECT_EQ(store->size(), 1U);
}

TEST_F(MemoryStoreTest, sweeps_expired_records_away_a_few_at_a_time) {
  for (int i = 0; i < 5'000; ++i) accept_at(noon, 1min, std::to_string(i));
  EXPECT_EQ(store->size(), 5'000U);
  there_at(noon + 1h);
  EXPECT_GE(store->size(), 4'990U) << "no call pays for all";
  for (int i = 0; i < 5'000; ++i) there_at(noon + 1h, "other:" + std::to_string(i));
  EXPECT_EQ(store->size(), 0U);
}

TEST_F(MemoryStoreTest, does_not_sweep_away_what_took_the_place_of_an_expired_record) {
  for (int i = 0; i < 200; ++i) accept_at(noon, 1min, std::to_string(i));
  for (int i = 0; i < 200; ++i) ASSERT_TRUE(claims_at(noon + 1h, std::to_string(i), owner_2));
  for (int i = 0; i < 2'000; ++i) there_at(noon + 2h, "other:" + std::to_string(i));
  EXPECT_EQ(store->size(), 200U);
}

TEST_F(MemoryStoreTest, goes_by_the_time_of_its_callers_without_a_clock) {
  ASSERT_TRUE(claims_at(noon));
  EXPECT_EQ(std::get<Existing>(reserve_at(noon + 10min, "order:1", owner_2)).age, 10min);
  EXPECT_EQ(std::get<Existing>(reserve_at(noon - 10min, "order:1", owner_2)).age, 0ms);
  EXPECT_TRUE(store->operators()->show("order:1", noon + 10min)->stale);
}

TEST_F(MemoryStoreTest, is_not_moved_by_the_wall_clock_with_a_clock) {
  const auto clock = std::make_shared<testing::FakeClock>();
  store = memory_idempotency_store(clock);
  accept_at(clock->now(), 24h, "accepted");
  ASSERT_TRUE(claims_at(clock->now(), "reserved"));
  clock->set_wall(clock->now() + 48h);
  EXPECT_TRUE(there_at(clock->now(), "accepted"));
  EXPECT_EQ(std::get<Existing>(reserve_at(clock->now(), "reserved", owner_2)).age, 0ms);
  EXPECT_FALSE(store->operators()->show("reserved", clock->now())->stale);
  clock->advance(24h);
  EXPECT_FALSE(there_at(clock->now(), "accepted"));
  EXPECT_EQ(std::get<Existing>(reserve_at(clock->now(), "reserved", owner_2)).age, 24h);
}

TEST_F(MemoryStoreTest, names_itself_private_to_its_process) {
  EXPECT_FALSE(store->shared());
  EXPECT_TRUE(store->identity().empty());
}

}  // namespace
}  // namespace sms::tests
