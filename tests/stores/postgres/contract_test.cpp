#include <sms/stores/postgres.hpp>

#include "contract/store_suite.hpp"
#include "servers/pgbouncer_server.hpp"
#include "servers/postgres_server.hpp"

namespace sms::tests {
namespace {

PgbouncerServer& bouncer() {
  static PgbouncerServer server(PostgresServer::shared());
  return server;
}

/// The database of a kind, emptied: no two stores of a kind live at the same time.
std::string emptied(const std::string& database) {
  PostgresServer::shared().session(database).rows(
      "truncate sms_idempotency, sms_audit; delete from sms_store where name = 'stale_reservation_ms'");
  return database;
}

std::shared_ptr<IdempotencyStore> open_url(const std::string& url) {
  return postgres_idempotency_store(postgres_options(url));
}

constexpr StoreKind kinds[] = {
    {"postgres",
     [] {
       auto& server = PostgresServer::shared();
       static const auto database = server.new_database();
       return open_url(server.url(emptied(database)));
     }},
    {"postgres_through_pgbouncer",
     [] {
       static const auto database = PostgresServer::shared().new_database();
       return open_url(bouncer().url(emptied(database)));
     }},
    {"postgres_of_repeatable_read",
     [] {
       auto& server = PostgresServer::shared();
       static const auto database = [&] {
         const auto made = server.new_database();
         server.session("postgres")
             .rows("alter database " + made + " set default_transaction_isolation = 'repeatable read'");
         return made;
       }();
       return open_url(server.url(emptied(database)));
     }},
};

SMS_STORE_SUITE(kinds);

}  // namespace
}  // namespace sms::tests
