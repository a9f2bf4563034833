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

constexpr StoreKind kinds[] = {
    {"postgres",
     [] {
       auto& server = PostgresServer::shared();
       return postgres_idempotency_store(postgres_options(server.url(server.new_database())));
     }},
    {"postgres_through_pgbouncer",
     [] {
       return postgres_idempotency_store(postgres_options(bouncer().url(PostgresServer::shared().new_database())));
     }},
    {"postgres_of_repeatable_read",
     [] {
       auto& server = PostgresServer::shared();
       const auto database = server.new_database();
       server.session("postgres")
           .rows("alter database " + database + " set default_transaction_isolation = 'repeatable read'");
       return postgres_idempotency_store(postgres_options(server.url(database)));
     }},
};

SMS_STORE_SUITE(kinds);

}  // namespace
}  // namespace sms::tests
