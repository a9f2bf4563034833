#include <sms/operator_tools.hpp>

#include "support/operator_stand_in.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

namespace sms::tests {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;

constexpr WallTime now{std::chrono::milliseconds(1'796'040'000'750)};

TEST(OperatorTools, visit_every_page_in_order) {
  OperatorStandIn store;
  store.pages = {{"a", "b"}, {"c"}, {"d"}};
  std::vector<std::string> keys;
  const auto collect = [&](const KeyView& view) {
    keys.push_back(view.key);
    return true;
  };
  EXPECT_EQ(for_each_key(store, {}, collect), 4U);
  EXPECT_THAT(keys, ElementsAre("a", "b", "c", "d"));
}

TEST(OperatorTools, stop_to_visit_when_told) {
  OperatorStandIn store;
  store.pages = {{"a", "b"}, {"c"}};
  EXPECT_EQ(for_each_key(store, {}, [](const KeyView& view) { return view.key != "b"; }), 2U);
  EXPECT_EQ(store.lists, 1);
}

TEST(OperatorTools, purge_batch_by_batch_until_nothing_is_left) {
  OperatorStandIn store;
  store.expired = 25;
  PurgeOptions options;
  options.batch = 10;
  EXPECT_EQ(purge_all(store, options), 25U);
  EXPECT_THAT(store.purges, ElementsAre(10, 10, 10));
}

TEST(OperatorTools, purge_no_more_than_the_limit) {
  OperatorStandIn store;
  store.expired = 25;
  PurgeOptions options;
  options.batch = 10;
  options.limit = 12;
  EXPECT_EQ(purge_all(store, options), 12U);
  EXPECT_THAT(store.purges, ElementsAre(10, 2));
  options.limit = 0;
  EXPECT_EQ(purge_all(store, options), 0U);
}

TEST(OperatorTools, purge_with_a_pause_that_a_stop_ends_at_once) {
  OperatorStandIn store;
  store.expired = 1'000;
  std::stop_source stop;
  PurgeOptions options;
  options.batch = 10;
  options.pause = 1h;
  options.stop = stop.get_token();
  store.on_purge = [&] { stop.request_stop(); };
  EXPECT_EQ(purge_all(store, options), 10U);

  store.on_purge = nullptr;
  std::stop_source later;
  options.stop = later.get_token();
  store.purges.clear();
  std::jthread stopper;
  store.on_purge = [&] { stopper = std::jthread([&] { later.request_stop(); }); };
  EXPECT_EQ(purge_all(store, options), 10U);
  EXPECT_THAT(store.purges, ElementsAre(10));
}

TEST(OperatorTools, purge_pauses_between_two_batches) {
  OperatorStandIn store;
  store.expired = 15;
  PurgeOptions options;
  options.batch = 10;
  options.pause = 30ms;
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(purge_all(store, options), 15U);
  EXPECT_GE(std::chrono::steady_clock::now() - begin, 30ms);
}

TEST(OperatorTools, watch_names_each_limit_that_is_exceeded) {
  OperatorStandIn store;
  store.counts.unknown = 2;
  store.counts.stale = 3;
  store.counts.reserved = 7;
  store.counts.oldest_open = now - 10min;
  const auto report = [&](const WatchLimits& limits) { return watch(store, limits, now); };
  EXPECT_EQ(report({}).open, 5U);
  EXPECT_EQ(report({}).oldest_open, 10min);
  EXPECT_TRUE(report({}).open_exceeded);
  EXPECT_TRUE(report({.max_open = 5}).within_limits());
  EXPECT_TRUE(report({.max_open = 5, .max_stale = 3, .max_age = 10min}).within_limits());
  EXPECT_TRUE(report({.max_open = 5, .max_stale = 2}).stale_exceeded);
  EXPECT_TRUE(report({.max_open = 5, .max_age = 10min - 1ms}).age_exceeded);
}

TEST(OperatorTools, watch_takes_a_future_time_for_now) {
  OperatorStandIn store;
  store.counts.unknown = 1;
  store.counts.oldest_open = now + 1h;
  EXPECT_EQ(watch(store, {.max_open = 1, .max_age = 0ms}, now).oldest_open, 0ms);
}

}  // namespace
}  // namespace sms::tests
