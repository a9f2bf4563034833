#include "stores/dynamodb/table.hpp"

#include <sms/entropy.hpp>
#include <sms/error.hpp>

#include <algorithm>
#include <utility>

namespace sms::detail {
namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;

constexpr auto between_advances = 5s;
constexpr auto between_looks = 250ms;

const std::string& store_key() {
  static const std::string key = reserved_prefix() + "store";
  return key;
}

std::string new_identity() {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const auto byte : system_entropy()->draw()) {
    text += digits[byte >> 4U];
    text += digits[byte & 15U];
  }
  return text;
}

std::string text_of(const boost::json::value* value) { return std::string(as_string(value).value_or("")); }

StoreFacts facts_of(const boost::json::value& item) {
  StoreFacts facts;
  facts.identity = text_attribute(item, "identity").value_or("");
  facts.table_id = text_attribute(item, "table_id").value_or("");
  facts.high_water = number_attribute(item, "high_water").value_or(0);
  facts.stale_reservation = milliseconds(number_attribute(item, "stale_reservation_ms").value_or(0));
  facts.acknowledged_at = number_attribute(item, "acknowledged_at").value_or(0);
  if (facts.identity.empty()) throw StoreUnavailableError("connect", "the item about the store cannot be read");
  return facts;
}

/// Whether `part` of `Items` of an array has these fields.
bool has_element(const boost::json::value* list, std::string_view name, std::string_view value, std::string_view other,
                 std::string_view other_value) {
  const auto* array = list != nullptr ? list->if_array() : nullptr;
  return array != nullptr && std::ranges::any_of(*array, [&](const boost::json::value& element) {
           return as_string(field(&element, name)) == value && as_string(field(&element, other)) == other_value;
         });
}

std::size_t size_of(const boost::json::value* list) {
  const auto* array = list != nullptr ? list->if_array() : nullptr;
  return array != nullptr ? array->size() : 0;
}

}  // namespace

DynamoTable::DynamoTable(const DynamodbOptions& options, DynamoApi& api, Spawn spawn)
    : name_(options.table),
      region_(options.region),
      home_region_(options.home_region),
      api_(api),
      spawn_(std::move(spawn)) {}

Task<StoreFacts> DynamoTable::ready(Operation& operation) {
  {
    const std::lock_guard lock(mutex_);
    if (ready_) co_return *seen_;
    if (refusal_ && api_.clock().boot_time() - refused_at_ < between_looks) throw StoreUnavailableError(*refusal_);
  }
  auto found = co_await looking_.outcome(operation, [this](Callback<StoreFacts> done) {
    spawn_(
        "connect", [this](Operation& own) { return look(own); }, std::move(done));
  });
  if (!found) found.error().raise();
  co_return *std::move(found);
}

void DynamoTable::doubt() {
  const std::lock_guard lock(mutex_);
  ready_ = false;
}

Task<StoreFacts> DynamoTable::look(Operation& operation) {
  std::optional<StoreUnavailableError> reason;
  try {
    const auto table = co_await describe(operation);
    check(table);
    auto facts = co_await facts_or_new(table, operation);
    compare(facts, table);
    co_return facts;
  } catch (const StoreUnavailableError& error) {
    reason.emplace(error);
  } catch (const DynamoRefusal& refusal) {
    reason.emplace("connect", refusal.what());
  }
  const std::lock_guard lock(mutex_);
  refusal_ = reason;
  refused_at_ = api_.clock().boot_time();
  throw StoreUnavailableError(*reason);
}

void DynamoTable::check(const TableFacts& table) const {
  const auto fault = [](const std::string& reason) { return StoreUnavailableError("connect", reason); };
  if (table.status != "ACTIVE" && table.status != "UPDATING") {
    throw fault("the table is not active, but " + (table.status.empty() ? "in an unknown state" : table.status));
  }
  if (!table.right_key) throw fault("the table must have the string `key` as its partition key, and no sort key");
  if (table.replicas && home_region_ != region_) {
    throw fault(
        "the table has replicas in other regions, whose last writer wins: home_region must name this region, "
        "and every client must use that one");
  }
}

void DynamoTable::compare(const StoreFacts& facts, const TableFacts& table) {
  const std::lock_guard lock(mutex_);
  const auto fault = [](const std::string& reason) {
    return StoreUnavailableError("connect", reason + ": if that is meant, acknowledge the restore");
  };
  if (!table.id.empty() && !facts.table_id.empty() && table.id != facts.table_id) {
    throw fault("the table was restored or copied from another one, and may lack claims");
  }
  if (seen_ && facts.acknowledged_at <= seen_->acknowledged_at) {
    if (facts.identity != seen_->identity) lost_ = "this is another store than before";
    if (!lost_ && facts.high_water < seen_->high_water) lost_ = "the store has gone back in time, and may lack claims";
    // Other clients may move the mark on meanwhile: what was lost stays lost.
    if (lost_) throw fault(*lost_);
  }
  lost_.reset();
  seen_ = facts;
  ready_ = true;
  refusal_.reset();
}

Task<TableFacts> DynamoTable::describe(Operation& operation) {
  const auto answer = co_await api_.call("DescribeTable", request().to_json(), operation);
  const auto* table = field(&answer.body, "Table");
  if (text_of(field(table, "TableName")) != name_) {
    throw StoreUnavailableError("connect", "an answer came that belongs to another question");
  }
  TableFacts facts;
  facts.status = text_of(field(table, "TableStatus"));
  facts.id = text_of(field(table, "TableId"));
  facts.right_key = size_of(field(table, "KeySchema")) == 1 &&
                    has_element(field(table, "KeySchema"), "AttributeName", "key", "KeyType", "HASH") &&
                    has_element(field(table, "AttributeDefinitions"), "AttributeName", "key", "AttributeType", "S");
  facts.replicas = size_of(field(table, "Replicas")) > 0;
  facts.restored = field(table, "RestoreSummary") != nullptr;
  co_return facts;
}

Task<StoreFacts> DynamoTable::facts(Operation& operation) {
  auto read = request();
  read.key(store_key()).member("ConsistentRead", "true");
  const auto answer = co_await api_.call("GetItem", read.to_json(), operation);
  const auto* item = field(&answer.body, "Item");
  if (item == nullptr) throw StoreUnavailableError("connect", "the table has no item about the store");
  co_return facts_of(*item);
}

Task<StoreFacts> DynamoTable::facts_or_new(const TableFacts& table, Operation& operation) {
  auto read = request();
  read.key(store_key()).member("ConsistentRead", "true");
  const auto answer = co_await api_.call("GetItem", read.to_json(), operation);
  if (const auto* item = field(&answer.body, "Item")) co_return facts_of(*item);
  {
    const std::lock_guard lock(mutex_);
    if (seen_) {
      throw StoreUnavailableError("connect", "the table is empty, and was not before: acknowledge it if that is meant");
    }
  }
  auto write = request();
  write.key(store_key()).condition("attribute_not_exists(#key)");
  write.update("SET #identity = :identity, #table_id = :table_id, #high_water = :zero, #stale_reservation_ms = :zero");
  write.text(":identity", new_identity()).text(":table_id", table.id.empty() ? "unknown" : table.id);
  write.number(":zero", 0).member("ReturnValues", json_string("ALL_NEW"));
  const auto written = co_await api_.call("UpdateItem", write.to_json(), operation);
  const auto* item = field(&written.body, "Attributes");
  if (!written.condition_failed && item != nullptr) co_return facts_of(*item);
  co_return co_await facts(operation);
}

Task<void> DynamoTable::remember_stale_reservation(milliseconds value, Operation& operation) {
  {
    const std::lock_guard lock(mutex_);
    if (seen_ && seen_->stale_reservation >= value) co_return;
  }
  auto write = request();
  write.key(store_key()).update("SET #stale_reservation_ms = :value").number(":value", value.count());
  write.condition("attribute_exists(#identity) AND #stale_reservation_ms < :value");
  const auto answer = co_await api_.call("UpdateItem", write.to_json(), operation);
  if (answer.condition_failed) {
    // Another client is more patient still, or there is no such store any more.
    value = (co_await facts(operation)).stale_reservation;
  }
  const std::lock_guard lock(mutex_);
  if (seen_) seen_->stale_reservation = std::max(seen_->stale_reservation, value);
}

void DynamoTable::written() {
  {
    const std::lock_guard lock(mutex_);
    const auto now = api_.clock().boot_time();
    if (!ready_ || advancing_ || now - advanced_at_ < between_advances) return;
    advancing_ = true;
    advanced_at_ = now;
  }
  spawn_(
      "connect", [this](Operation& own) { return advance(own); }, [](const Expected<StoreFacts>&) {});
}

Task<StoreFacts> DynamoTable::advance(Operation& operation) {
  struct Ended {
    DynamoTable& table;
    ~Ended() {
      const std::lock_guard lock(table.mutex_);
      table.advancing_ = false;
    }
  } const ended{*this};
  StoreFacts before;
  {
    const std::lock_guard lock(mutex_);
    before = *seen_;
  }
  auto write = request();
  write.key(store_key()).update("SET #high_water = #high_water + :one").number(":one", 1);
  write.condition("#identity = :identity").text(":identity", before.identity);
  write.member("ReturnValues", json_string("ALL_NEW"));
  const auto answer = co_await api_.call("UpdateItem", write.to_json(), operation);
  const auto* item = field(&answer.body, "Attributes");
  const std::lock_guard lock(mutex_);
  if (answer.condition_failed || item == nullptr) {
    ready_ = false;
    throw StoreUnavailableError("connect", "this is another store than before");
  }
  auto facts = facts_of(*item);
  // Others may have moved it on meanwhile, and their answers may have been read already.
  if (facts.high_water <= before.high_water) {
    lost_ = "the store has gone back in time, and may lack claims";
    ready_ = false;
  } else if (seen_) {
    seen_->high_water = std::max(seen_->high_water, facts.high_water);
    seen_->stale_reservation = std::max(seen_->stale_reservation, facts.stale_reservation);
  }
  co_return facts;
}

Task<void> DynamoTable::acknowledge(std::string audit, Operation& operation) {
  const auto table = co_await describe(operation);
  check(table);
  auto write = request();
  write.key(store_key());
  write.update(
      "SET #identity = if_not_exists(#identity, :identity), #table_id = :table_id, #acknowledged_at = :now, "
      "#high_water = if_not_exists(#high_water, :zero), "
      "#stale_reservation_ms = if_not_exists(#stale_reservation_ms, :zero), #audit = :audit");
  write.text(":identity", new_identity()).text(":table_id", table.id.empty() ? "unknown" : table.id);
  write.number(":now", in_ms(api_.clock().now())).number(":zero", 0).text(":audit", audit);
  co_await api_.call("UpdateItem", write.to_json(), operation);
  const std::lock_guard lock(mutex_);
  ready_ = false;
  refusal_.reset();
}

Task<std::optional<DynamoRow>> read_row(DynamoTable& table, DynamoApi& api, const std::string& key,
                                        Operation& operation) {
  auto read = table.request();
  read.key(key).member("ConsistentRead", "true");
  const auto answer = co_await api.call("GetItem", read.to_json(), operation);
  const auto* item = field(&answer.body, "Item");
  if (item == nullptr) co_return std::nullopt;
  auto row = row_of(*item);
  if (row.row.key != key) throw StoreUnavailableError("get", "an answer came that belongs to another question");
  co_return row;
}

}  // namespace sms::detail
