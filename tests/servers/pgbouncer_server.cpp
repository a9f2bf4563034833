#include "servers/pgbouncer_server.hpp"

#include "servers/free_port.hpp"

#include <libpq-fe.h>
#include <signal.h>

#include <chrono>
#include <fstream>
#include <stdexcept>
#include <thread>

namespace sms::tests {

PgbouncerServer::PgbouncerServer(const PostgresServer& server) : port_(free_port()) {
  const auto folder = folder_.path().string();
  std::ofstream(folder_.file("users")) << "\"postgres\" \"\"\n";
  std::ofstream(folder_.file("config")) << "[databases]\n* = host=" << server.folder() << " port=" << server.port()
                                        << "\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = " << port_
                                        << "\nunix_socket_dir = " << folder
                                        << "\nauth_type = trust\nauth_file = " << folder_.file("users")
                                        << "\npool_mode = transaction\ndefault_pool_size = 3\nmax_client_conn = 500\n"
                                           "server_idle_timeout = 5\nserver_fast_close = 1\n";
  ServerProcess::hand_over(folder);
  process_ = std::make_unique<ServerProcess>(std::vector<std::string>{"/usr/sbin/pgbouncer", folder_.file("config")},
                                             folder_.file("log"));
  const auto conninfo = "host=127.0.0.1 user=postgres dbname=postgres port=" + std::to_string(port_);
  for (int i = 0; i < 1'000; ++i) {
    if (PQping(conninfo.c_str()) == PQPING_OK) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  throw std::runtime_error("pgbouncer does not start");
}

PgbouncerServer::~PgbouncerServer() { process_->signal(SIGTERM); }

std::string PgbouncerServer::url(const std::string& database) const {
  return "postgres:?host=127.0.0.1&user=postgres&dbname=" + database + "&port=" + std::to_string(port_);
}

}  // namespace sms::tests
