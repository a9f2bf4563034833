#include <sms/stores/memory.hpp>
#include <sms/stores/sqlite.hpp>
#include <sms/testing/store_contract.hpp>

#include "support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <tuple>

namespace sms::testing {
void PrintTo(const StoreCheck& check, std::ostream* out) { *out << check.rule; }
}  // namespace sms::testing

namespace sms::tests {
namespace {

using sms::testing::StoreCheck;
using ::testing::IsEmpty;

/// A store of this library; `make` answers a new one, which may keep its files in the folder.
struct StoreKind {
  std::string_view name;
  std::shared_ptr<IdempotencyStore> (*make)(const std::string& new_file);
};
void PrintTo(const StoreKind& kind, std::ostream* out) { *out << kind.name; }

constexpr StoreKind kinds[] = {
    {"memory", [](const std::string&) -> std::shared_ptr<IdempotencyStore> { return memory_idempotency_store(); }},
    {"sqlite",
     [](const std::string& new_file) {
       SqliteOptions options;
       options.path = new_file;
       return sqlite_idempotency_store(options);
     }},
};

using Parameters = std::tuple<StoreKind, StoreCheck>;
class StoreContract : public ::testing::TestWithParam<Parameters> {};

TEST_P(StoreContract, is_kept) {
  const auto& [kind, check] = GetParam();
  const TemporaryFolder folder;
  int stores = 0;
  const auto make = [&, kind = kind] { return kind.make(folder.file("keys" + std::to_string(++stores) + ".db")); };
  ASSERT_TRUE(check.applies_to(*make()));
  EXPECT_THAT(check.faults(make), IsEmpty()) << check.rule;
}

INSTANTIATE_TEST_SUITE_P(Every, StoreContract,
                         ::testing::Combine(::testing::ValuesIn(kinds),
                                            ::testing::ValuesIn(sms::testing::store_contract())),
                         [](const ::testing::TestParamInfo<Parameters>& test) {
                           return std::string(std::get<0>(test.param).name) + "_" +
                                  std::string(std::get<1>(test.param).name);
                         });

}  // namespace
}  // namespace sms::tests
