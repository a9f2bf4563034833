#include <sms/stores/memory.hpp>
#include <sms/stores/migrating.hpp>
#include <sms/stores/sqlite.hpp>

#include "contract/store_suite.hpp"
#include "support/temporary_folder.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

namespace sms::tests {
namespace {

constexpr StoreKind kinds[] = {
    {"memory", []() -> std::shared_ptr<IdempotencyStore> { return memory_idempotency_store(); }},
    {"sqlite",
     [] {
       static const TemporaryFolder folder;
       static int stores = 0;
       SqliteOptions options;
       options.path = folder.file("keys" + std::to_string(++stores) + ".db");
       return sqlite_idempotency_store(options);
     }},
};

SMS_STORE_SUITE(kinds);

constexpr StoreKind pairs[] = {
    {"of_two_memory_stores",
     []() -> std::shared_ptr<IdempotencyStore> {
       return migrating_store(memory_idempotency_store(), memory_idempotency_store());
     }},
};

/// Operators look at each store of a pair by itself.
std::vector<testing::StoreCheck> checks_of_pairs() {
  std::vector<testing::StoreCheck> checks;
  std::ranges::copy_if(testing::store_contract(), std::back_inserter(checks),
                       [](const auto& check) { return check.part != testing::StorePart::operators; });
  return checks;
}

INSTANTIATE_TEST_SUITE_P(Migrating, StoreContract,
                         ::testing::Combine(::testing::ValuesIn(pairs), ::testing::ValuesIn(checks_of_pairs())),
                         contract_test_name);

}  // namespace
}  // namespace sms::tests
