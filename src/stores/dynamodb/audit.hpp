#pragma once

#include <sms/operator_store.hpp>

#include "core/task.hpp"
#include "stores/dynamodb/api.hpp"
#include "stores/dynamodb/operation.hpp"
#include "stores/dynamodb/table.hpp"

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sms::detail {

/// Audit rows. A change and its audit row are one write of one item: the attribute `audit`. Afterwards the row is
/// copied into an item of its own, which outlives the key; whoever reads takes both places for one.
class DynamoAudit {
 public:
  DynamoAudit(DynamoTable& table, DynamoApi& api) : table_(table), api_(api) {}

  /// The value of the attribute. Every one has an ID of its own.
  static std::string json_of(const AuditRow& row);
  /// Makes sure that the row stands on its own.
  Task<void> copy(std::string json, Operation& operation);
  Task<std::vector<AuditRow>> read(std::size_t limit, std::optional<std::string> key,
                                   std::chrono::milliseconds time_of_a_page, Operation& operation);

 private:
  DynamoTable& table_;
  DynamoApi& api_;
};

/// Reads the whole table, page by page; `request` may have a filter. Each page has the time of one operation.
Task<void> scan(DynamoApi& api, ItemRequest request, std::chrono::milliseconds time_of_a_page, Operation& operation,
                std::function<void(const boost::json::value& item)> each);

}  // namespace sms::detail
