#pragma once

#include <sms/testing/store_contract.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <tuple>

namespace sms::testing {
inline void PrintTo(const StoreCheck& check, std::ostream* out) { *out << check.rule; }
}  // namespace sms::testing

namespace sms::tests {

/// A store of this library; `make` answers a new, empty one at every call.
struct StoreKind {
  std::string_view name;
  std::shared_ptr<IdempotencyStore> (*make)();
};
inline void PrintTo(const StoreKind& kind, std::ostream* out) { *out << kind.name; }

/// Every check of the contract on a store that has all interfaces. One program includes this once and says
/// `SMS_STORE_SUITE(kinds)`.
using StoreContractParameters = std::tuple<StoreKind, sms::testing::StoreCheck>;
class StoreContract : public ::testing::TestWithParam<StoreContractParameters> {};

TEST_P(StoreContract, is_kept) {
  const auto& [kind, check] = GetParam();
  ASSERT_TRUE(check.applies_to(*kind.make()));
  EXPECT_THAT(check.faults(kind.make), ::testing::IsEmpty()) << check.rule;
}

inline std::string contract_test_name(const ::testing::TestParamInfo<StoreContractParameters>& test) {
  return std::string(std::get<0>(test.param).name) + "_" + std::string(std::get<1>(test.param).name);
}

}  // namespace sms::tests

#define SMS_STORE_SUITE(kinds)                                                                             \
  INSTANTIATE_TEST_SUITE_P(                                                                                \
      Every, StoreContract,                                                                                \
      ::testing::Combine(::testing::ValuesIn(kinds), ::testing::ValuesIn(sms::testing::store_contract())), \
      contract_test_name)
