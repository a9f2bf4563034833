#pragma once

#include <sms/idempotency.hpp>

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sms::testing {

/// Makes a new, empty store. Called several times by a check that needs several stores.
using StoreFactory = std::function<std::shared_ptr<IdempotencyStore>()>;

/// What a check is about. The last two are for stores that have the further interface.
enum class StorePart { contract, evidence, operators };

/// One rule that every store must keep.
struct StoreCheck {
  std::string_view name;  ///< For test names: letters and underscores.
  std::string_view rule;
  StorePart part;
  /// What breaks the rule; empty when nothing does. Takes a fraction of a second in which a store's own clock must run.
  std::vector<std::string> (*faults)(const StoreFactory& make);

  bool applies_to(IdempotencyStore& store) const noexcept;
};

/// The contract of stores, check by check, for any test framework:
///
///     for (const auto& check : sms::testing::store_contract()) EXPECT_THAT(check.faults(make), IsEmpty());
std::span<const StoreCheck> store_contract();

}  // namespace sms::testing
