#pragma once

#include <sms/idempotency.hpp>

#include "core/task.hpp"
#include "stores/dynamodb/api.hpp"
#include "stores/dynamodb/operation.hpp"
#include "stores/dynamodb/table.hpp"

#include <optional>
#include <string>

namespace sms::detail {

/// The functions of the contract and of evidence, on items. Each may be repeated after a lost answer.
class DynamoRows {
 public:
  DynamoRows(DynamoTable& table, DynamoApi& api) : table_(table), api_(api) {}

  Task<std::optional<IdempotencyRecord>> get(std::string key, Operation& operation);
  Task<ReserveResult> reserve(ReserveRequest request, Operation& operation);
  Task<FinalizeResult> finalize(FinalizeRequest request, Operation& operation);
  Task<MarkResult> mark(MarkRequest request, Operation& operation);
  Task<SettleResult> settle(FinalizeRequest request, Operation& operation);

 private:
  struct Written {
    bool done = false;
    /// Why not: the item that was there, or that is there now; null for none.
    std::optional<DynamoRow> there;
  };
  /// A conditional update of this key.
  Task<Written> write(ItemRequest request, const std::string& key, Operation& operation);
  /// What there is to do before a claim that was written is answered: nobody sends before.
  Task<ReserveResult> claimed(const ReserveRequest& request, Operation& operation);
  /// Repeats a claim that stands: by a write, since reading it proves nothing of its durability.
  Task<bool> touch(const ReserveRequest& request, Operation& operation);
  WallTime now() const { return api_.clock().now(); }

  DynamoTable& table_;
  DynamoApi& api_;
};

}  // namespace sms::detail
