#include "contract/broken_store.hpp"

#include <sms/testing/store_contract.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>

namespace sms::tests {
namespace {

using ::testing::IsEmpty;
using ::testing::Not;

/// All at once, since they mostly wait for time to pass.
std::vector<std::string> broken_rules(Mistake mistake) {
  const auto make = [mistake] { return std::make_shared<BrokenStore>(mistake); };
  std::vector<std::future<bool>> broken;
  for (const auto& check : sms::testing::store_contract()) {
    broken.push_back(std::async(std::launch::async, [&] { return !check.faults(make).empty(); }));
  }
  std::vector<std::string> rules;
  auto next = broken.begin();
  for (const auto& check : sms::testing::store_contract()) {
    if ((next++)->get()) rules.emplace_back(check.rule);
  }
  return rules;
}

TEST(StoreContractItself, finds_nothing_in_a_store_without_mistakes) {
  EXPECT_THAT(broken_rules(Mistake::none), IsEmpty());
}

class EveryMistake : public ::testing::TestWithParam<int> {};

TEST_P(EveryMistake, is_found) { EXPECT_THAT(broken_rules(static_cast<Mistake>(GetParam())), Not(IsEmpty())); }

INSTANTIATE_TEST_SUITE_P(OfStores, EveryMistake,
                         ::testing::Range(static_cast<int>(Mistake::reads_before_it_writes),
                                          static_cast<int>(Mistake::counts_nothing) + 1));

TEST(StoreContractItself, asks_only_for_the_interfaces_that_a_store_has) {
  class Plain final : public IdempotencyStore {
   public:
    void get(std::string, WallTime, Callback<std::optional<IdempotencyRecord>>) override {}
    void reserve(ReserveRequest, Callback<ReserveResult>) override {}
    void finalize(FinalizeRequest, Callback<FinalizeResult>) override {}
  } plain;
  for (const auto& check : sms::testing::store_contract()) {
    EXPECT_EQ(check.applies_to(plain), check.part == sms::testing::StorePart::contract) << check.rule;
  }
}

}  // namespace
}  // namespace sms::tests
