#pragma once

#include <sms/operator_store.hpp>

#include "core/task.hpp"
#include "stores/dynamodb/api.hpp"
#include "stores/dynamodb/audit.hpp"
#include "stores/dynamodb/operation.hpp"
#include "stores/dynamodb/table.hpp"

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sms::detail {

/// What operators need, on items. Lists read the whole table.
class DynamoOperators {
 public:
  DynamoOperators(DynamoTable& table, DynamoApi& api, std::chrono::milliseconds time_of_a_page)
      : table_(table), api_(api), audit_(table, api), time_of_a_page_(time_of_a_page) {}

  Task<ListPage> list(ListRequest request, Operation& operation);
  Task<std::optional<KeyView>> show(std::string key, Operation& operation);
  Task<OperatorResult> resolve(ResolveRequest request, Operation& operation);
  Task<OperatorResult> release(ReleaseRequest request, Operation& operation);
  Task<std::size_t> purge_expired(std::size_t limit, Operation& operation);
  Task<StoreStats> stats(Operation& operation);
  Task<std::vector<AuditRow>> audit(std::size_t limit, std::optional<std::string> key, Operation& operation);

 private:
  /// What an operator sees and acts on.
  struct Seen {
    std::optional<DynamoRow> row;
    std::optional<KeyView> view;
    std::chrono::milliseconds stale_after{0};
  };
  Task<Seen> look(std::string key, Operation& operation);
  /// Every row that has a record, expired ones too.
  Task<void> each_row(std::string filter, Operation& operation, std::function<void(DynamoRow)> each);
  Task<bool> id_in_use(const ResolveRequest& request, Operation& operation);
  /// Writes what an operator decided, if nothing has changed since. `audit`: part of the same write.
  Task<bool> change(ItemRequest request, const DynamoRow& seen, const std::string& audit, Operation& operation);
  /// Removes what was released, or has expired, once its audit row stands on its own.
  Task<bool> remove(DynamoRow row, Operation& operation);
  std::string audit_json(const KeyView& before, const OperatorNote& note, std::string_view action) const;
  WallTime now() const { return api_.clock().now(); }

  DynamoTable& table_;
  DynamoApi& api_;
  DynamoAudit audit_;
  std::chrono::milliseconds time_of_a_page_;
};

}  // namespace sms::detail
