#pragma once

#include "servers/postgres_server.hpp"

#include <memory>
#include <string>

namespace sms::tests {

/// A pgbouncer in transaction mode in front of a server: few server connections for many clients.
class PgbouncerServer {
 public:
  explicit PgbouncerServer(const PostgresServer& server);
  ~PgbouncerServer();
  std::string url(const std::string& database) const;

 private:
  TemporaryFolder folder_;
  int port_ = 0;
  std::unique_ptr<ServerProcess> process_;
};

}  // namespace sms::tests
