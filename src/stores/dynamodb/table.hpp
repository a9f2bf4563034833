#pragma once

#include <sms/operator_store.hpp>
#include <sms/stores/dynamodb.hpp>

#include "core/task.hpp"
#include "stores/dynamodb/api.hpp"
#include "stores/dynamodb/item.hpp"
#include "stores/dynamodb/operation.hpp"
#include "stores/dynamodb/shared_run.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace sms::detail {

/// What `DescribeTable` says that matters here.
struct TableFacts {
  std::string status, id;
  bool right_key = false;  ///< The partition key is `key`, a string, and there is no sort key.
  bool replicas = false;
  bool restored = false;
};

/// The item that is about the store itself.
struct StoreFacts {
  std::string identity;
  std::string table_id;  ///< Of the table for which the item was written: a restored copy has another one.
  std::int64_t high_water = 0;
  std::chrono::milliseconds stale_reservation{0};
  std::int64_t acknowledged_at = 0;
};

/// The table as a whole: whether it is the one that it should be, and what its clients share. Thread-safe.
class DynamoTable {
 public:
  /// Runs `work` as an operation of its own, beside the one that asks.
  using Spawn = std::function<void(std::string name, UniqueFunction<Task<StoreFacts>(Operation&)> work,
                                   Callback<StoreFacts> done)>;

  DynamoTable(const DynamodbOptions& options, DynamoApi& api, Spawn spawn);

  /// Returns once the table was looked at and found right. Throws the reason otherwise.
  Task<StoreFacts> ready(Operation& operation);
  /// To be called when an answer tells that the table is not what it was.
  void doubt();
  /// Makes sure that operators know a client as patient as this one.
  Task<void> remember_stale_reservation(std::chrono::milliseconds value, Operation& operation);
  /// After a write: moves the high-water mark now and then, which also tells whether it is still the same store.
  void written();

  /// Always asks.
  Task<StoreFacts> facts(Operation& operation);
  Task<TableFacts> describe(Operation& operation);
  Task<void> create(Operation& operation);
  Task<void> acknowledge(std::string audit, Operation& operation);
  /// Throws when there is something wrong with the table itself.
  void check(const TableFacts& table) const;

  ItemRequest request() const { return ItemRequest(name_); }
  const std::string& name() const noexcept { return name_; }

 private:
  Task<StoreFacts> look(Operation& operation);
  Task<StoreFacts> facts_or_new(const TableFacts& table, Operation& operation);
  /// Throws when it is another store, or an older state of it, than what was seen before.
  void compare(const StoreFacts& facts, const TableFacts& table);
  Task<StoreFacts> advance(Operation& operation);

  std::string name_, region_, home_region_;
  DynamoApi& api_;
  Spawn spawn_;
  SharedRun<StoreFacts> looking_;

  mutable std::mutex mutex_;
  bool ready_ = false;
  std::optional<StoreFacts> seen_;  ///< The latest; kept through doubts.
  BootClock::time_point advanced_at_{};
  bool advancing_ = false;
  std::optional<std::string> lost_;               ///< Why it is not the store that it was, until that is acknowledged.
  std::optional<StoreUnavailableError> refusal_;  ///< Of the last look, for a moment: a crowd must not ask again.
  BootClock::time_point refused_at_{};
};

/// `{"Item":...}` of a consistent read; null for none.
Task<std::optional<DynamoRow>> read_row(DynamoTable& table, DynamoApi& api, const std::string& key,
                                        Operation& operation);

}  // namespace sms::detail
