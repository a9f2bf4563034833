#include <sms/store_maintenance.hpp>
#include <sms/stores/dynamodb.hpp>

#include "contract/store_suite.hpp"
#include "servers/dynalite_server.hpp"

#include <atomic>

namespace sms::tests {
namespace {

std::shared_ptr<IdempotencyStore> make_store() {
  static const DynaliteServer server;
  static std::atomic<int> tables = 0;
  DynamodbOptions options;
  options.table = "keys" + std::to_string(++tables);
  options.region = "eu-west-1";
  options.endpoint = server.url();
  options.operation_timeout = std::chrono::seconds(10);
  options.credentials = static_aws_credentials({"AKIDEXAMPLE", "not-a-secret", {}, {}});
  auto store = dynamodb_idempotency_store(std::move(options));
  store->maintenance()->migrate();
  return store;
}

constexpr StoreKind kinds[] = {{"dynalite", make_store}};

SMS_STORE_SUITE(kinds);

}  // namespace
}  // namespace sms::tests
