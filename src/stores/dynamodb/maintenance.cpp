#include "stores/dynamodb/maintenance.hpp"

#include <sms/error.hpp>

#include <utility>

namespace sms::detail {
namespace {

using namespace std::chrono_literals;
using Level = StoreFinding::Level;

constexpr auto longest_creation = 2min;

std::string_view text_at(const boost::json::value& answer, std::string_view part, std::string_view name) {
  return as_string(field(field(&answer, part), name)).value_or("");
}

}  // namespace

std::string create_table_json(const std::string& table) {
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("TableName").string(table);
  json.key("AttributeDefinitions").raw(R"([{"AttributeName":"key","AttributeType":"S"}])");
  json.key("KeySchema").raw(R"([{"AttributeName":"key","KeyType":"HASH"}])");
  json.key("BillingMode").string("PAY_PER_REQUEST").end_object();
  return text;
}

std::string time_to_live_json(const std::string& table) {
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("TableName").string(table);
  json.key("TimeToLiveSpecification").raw(R"({"AttributeName":"ttl","Enabled":true})").end_object();
  return text;
}

Task<Done> DynamoMaintenance::migrate(Operation& operation) {
  co_await create(operation);
  const auto table = co_await wait_until_active(operation);
  table_.check(table);
  co_await switch_time_to_live_on(operation);
  table_.doubt();
  co_await table_.ready(operation);
  co_return Done{};
}

Task<void> DynamoMaintenance::create(Operation& operation) {
  try {
    co_await api_.call("CreateTable", create_table_json(table_.name()), operation);
  } catch (const DynamoRefusal& refusal) {
    if (refusal.type() != "ResourceInUseException") throw;
  }
}

Task<TableFacts> DynamoMaintenance::wait_until_active(Operation& operation) {
  const auto until = api_.clock().boot_time() + longest_creation;
  for (auto pause = 20ms;; pause = std::min(pause * 2, 2'000ms)) {
    operation.extend(api_.clock().boot_time() + time_of_a_step_ + pause);
    std::optional<TableFacts> table;
    try {
      table = co_await table_.describe(operation);
    } catch (const DynamoRefusal& refusal) {
      // A new table is not seen everywhere at once.
      if (refusal.type() != "ResourceNotFoundException") throw;
    }
    if (table && table->status == "ACTIVE") co_return *std::move(table);
    if (api_.clock().boot_time() >= until) throw operation.error("the table does not become active");
    co_await api_.pause(pause, operation);
  }
}

Task<void> DynamoMaintenance::switch_time_to_live_on(Operation& operation) {
  operation.extend(api_.clock().boot_time() + time_of_a_step_);
  try {
    auto request = table_.request();
    const auto known = co_await api_.call("DescribeTimeToLive", request.to_json(), operation);
    const auto status = text_at(known.body, "TimeToLiveDescription", "TimeToLiveStatus");
    if (status == "ENABLED" || status == "ENABLING") co_return;
    co_await api_.call("UpdateTimeToLive", time_to_live_json(table_.name()), operation);
  } catch (const DynamoRefusal& refusal) {
    // A server without it works, too: nothing rests on it but that old items go by themselves.
    if (refusal.type() != "UnknownOperationException") throw;
  }
}

Task<std::vector<StoreFinding>> DynamoMaintenance::examine(Operation& operation) {
  std::vector<StoreFinding> findings;
  std::optional<std::string> fault;
  try {
    const auto table = co_await table_.describe(operation);
    findings.push_back({Level::fine, "table", "the table " + table_.name() + " in " + region_ + " is " + table.status});
    table_.check(table);
    if (table.replicas) {
      findings.push_back({Level::warning, "failover",
                          "the table has replicas: a claim made in another region than the home region, or lost in a "
                          "failover to one, is not seen here"});
    }
    if (table.restored) {
      findings.push_back(
          {Level::warning, "durability", "the table was made from a backup: claims after it are missing"});
    }
    const auto facts = co_await table_.ready(operation);
    findings.push_back({Level::fine, "schema", "identity " + facts.identity});
    findings.push_back(co_await about_time_to_live(operation));
    findings.push_back(co_await about_backups(operation));
  } catch (const std::exception& error) {
    fault = error.what();
  }
  if (fault) findings.push_back({Level::problem, "table", *fault});
  if (api_.clock().observed()) findings.push_back(about_clock());
  co_return findings;
}

Task<StoreFinding> DynamoMaintenance::about_time_to_live(Operation& operation) {
  try {
    auto request = table_.request();
    const auto known = co_await api_.call("DescribeTimeToLive", request.to_json(), operation);
    const auto status = text_at(known.body, "TimeToLiveDescription", "TimeToLiveStatus");
    const auto attribute = text_at(known.body, "TimeToLiveDescription", "AttributeName");
    if (status == "ENABLED" && attribute == "ttl") {
      co_return StoreFinding{Level::fine, "expiry", "expired items go by themselves, typically within days"};
    }
  } catch (const DynamoRefusal& refusal) {
    co_return StoreFinding{Level::warning, "expiry", std::string("time to live is not known: ") + refusal.what()};
  }
  co_return StoreFinding{Level::warning, "expiry",
                         "time to live is not switched on for the attribute ttl: expired items stay until a purge"};
}

Task<StoreFinding> DynamoMaintenance::about_backups(Operation& operation) {
  try {
    auto request = table_.request();
    const auto known = co_await api_.call("DescribeContinuousBackups", request.to_json(), operation);
    const auto* backups = field(field(&known.body, "ContinuousBackupsDescription"), "PointInTimeRecoveryDescription");
    if (as_string(field(backups, "PointInTimeRecoveryStatus")) == "ENABLED") {
      co_return StoreFinding{Level::fine, "durability",
                             "point-in-time recovery is on; what it restores has to be acknowledged"};
    }
  } catch (const DynamoRefusal& refusal) {
    co_return StoreFinding{Level::warning, "durability", std::string("backups are not known: ") + refusal.what()};
  }
  co_return StoreFinding{Level::warning, "durability", "point-in-time recovery is off: a deleted table is lost"};
}

StoreFinding DynamoMaintenance::about_clock() const {
  const auto ahead = api_.clock().ahead();
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(ahead).count();
  if (std::chrono::abs(ahead) < 2s) return {Level::fine, "clock", "this machine and DynamoDB agree about the time"};
  return {Level::warning, "clock",
          "the clock of this machine is " + std::to_string(std::abs(seconds)) + " s " +
              (seconds > 0 ? "ahead of" : "behind") + " DynamoDB's, whose time is used"};
}

}  // namespace sms::detail
