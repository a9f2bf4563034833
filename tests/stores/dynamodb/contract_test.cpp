#include <sms/store_maintenance.hpp>
#include <sms/stores/dynamodb.hpp>

#include "contract/store_suite.hpp"
#include "servers/dynamo_stub.hpp"
#include "stores/dynamodb/stub_options.hpp"

namespace sms::tests {
namespace {

template <bool says_item>
std::shared_ptr<IdempotencyStore> make_store() {
  static DynamoStub stub([] {
    DynamoStubOptions options;
    options.says_item = says_item;
    return options;
  }());
  static std::atomic<int> tables = 0;
  auto store = dynamodb_idempotency_store(stub_options(stub, "keys" + std::to_string(++tables)));
  store->maintenance()->migrate();
  return store;
}

constexpr StoreKind kinds[] = {
    {"stub", make_store<true>},
    {"stub_that_hides_items", make_store<false>},
};

SMS_STORE_SUITE(kinds);

}  // namespace
}  // namespace sms::tests
