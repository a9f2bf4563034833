#include <sms/stores/memory.hpp>
#include <sms/stores/sqlite.hpp>

#include "contract/store_suite.hpp"
#include "support/temporary_folder.hpp"

namespace sms::tests {
namespace {

constexpr StoreKind kinds[] = {
    {"memory", []() -> std::shared_ptr<IdempotencyStore> { return memory_idempotency_store(); }},
    {"sqlite",
     [] {
       static const TemporaryFolder folder;
       static int stores = 0;
       SqliteOptions options;
       options.path = folder.file("keys" + std::to_string(++stores) + ".db");
       return sqlite_idempotency_store(options);
     }},
};

SMS_STORE_SUITE(kinds);

}  // namespace
}  // namespace sms::tests
