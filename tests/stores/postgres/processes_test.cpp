#include "contract/process_race.hpp"
#include "servers/pgbouncer_server.hpp"

namespace sms::tests {
namespace {

TEST(PostgresProcesses, never_own_a_key_at_the_same_time) {
  auto& server = PostgresServer::shared();
  expect_single_owners(SMS_STORE_WORKER, server.url(server.new_database()));
}

TEST(PostgresProcesses, never_own_a_key_at_the_same_time_through_pgbouncer) {
  auto& server = PostgresServer::shared();
  const PgbouncerServer bouncer(server);
  expect_single_owners(SMS_STORE_WORKER, bouncer.url(server.new_database()));
}

}  // namespace
}  // namespace sms::tests
