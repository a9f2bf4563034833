#pragma once

#include <sms/store_maintenance.hpp>
#include <sms/stores/dynamodb.hpp>

#include "core/task.hpp"
#include "stores/dynamodb/api.hpp"
#include "stores/dynamodb/operation.hpp"
#include "stores/dynamodb/table.hpp"

#include <string>
#include <vector>

namespace sms::detail {

/// The bodies of `CreateTable` and `UpdateTimeToLive`.
std::string create_table_json(const std::string& table);
std::string time_to_live_json(const std::string& table);

/// Makes the table, and says how it is set up.
class DynamoMaintenance {
 public:
  DynamoMaintenance(DynamoTable& table, DynamoApi& api, const DynamodbOptions& options)
      : table_(table), api_(api), region_(options.region), time_of_a_step_(options.operation_timeout) {}

  Task<Done> migrate(Operation& operation);
  Task<std::vector<StoreFinding>> examine(Operation& operation);

 private:
  Task<void> create(Operation& operation);
  Task<TableFacts> wait_until_active(Operation& operation);
  Task<void> switch_time_to_live_on(Operation& operation);
  Task<StoreFinding> about_time_to_live(Operation& operation);
  Task<StoreFinding> about_backups(Operation& operation);
  StoreFinding about_clock() const;

  DynamoTable& table_;
  DynamoApi& api_;
  std::string region_;
  std::chrono::milliseconds time_of_a_step_;
};

}  // namespace sms::detail
