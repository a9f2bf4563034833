#include "servers/postgres_server.hpp"

#include <sms/store_maintenance.hpp>
#include <sms/stores/postgres.hpp>

#include "servers/free_port.hpp"

#include <libpq-fe.h>
#include <signal.h>

#include <chrono>
#include <filesystem>
#include <stdexcept>
#include <thread>

namespace sms::tests {
namespace {

using namespace std::chrono_literals;

std::string program(const std::string& name) {
  for (const std::string folder : {"/usr/lib/postgresql/15/bin/", "/usr/local/bin/", "/usr/bin/"}) {
    if (std::filesystem::exists(folder + name)) return folder + name;
  }
  throw std::runtime_error("no " + name);
}

}  // namespace

void PostgresSession::Closer::operator()(pg_conn* connection) const { PQfinish(connection); }

PostgresSession::PostgresSession(const std::string& conninfo) : connection_(PQconnectdb(conninfo.c_str())) {
  if (PQstatus(connection_.get()) != CONNECTION_OK) throw std::runtime_error(PQerrorMessage(connection_.get()));
}

std::vector<std::string> PostgresSession::rows(const std::string& sql) {
  const std::unique_ptr<PGresult, void (*)(PGresult*)> result(PQexec(connection_.get(), sql.c_str()), PQclear);
  const auto status = PQresultStatus(result.get());
  if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) {
    throw std::runtime_error(sql + ": " + PQerrorMessage(connection_.get()));
  }
  std::vector<std::string> rows;
  for (int i = 0; i < PQntuples(result.get()); ++i) {
    std::string row;
    for (int j = 0; j < PQnfields(result.get()); ++j) {
      if (j > 0) row += '|';
      row += PQgetvalue(result.get(), i, j);
    }
    rows.push_back(row);
  }
  return rows;
}

std::string PostgresSession::value(const std::string& sql) {
  const auto found = rows(sql);
  return found.size() == 1 ? found.front() : "not one row";
}

void PostgresSession::start(const std::string& sql) {
  if (PQsendQuery(connection_.get(), sql.c_str()) != 1) throw std::runtime_error(PQerrorMessage(connection_.get()));
}

void PostgresSession::finish() {
  while (auto* result = PQgetResult(connection_.get())) PQclear(result);
}

PostgresServer::PostgresServer(Disk disk) : disk_(disk) {
  ServerProcess::hand_over(folder());
  run_as_server({program("initdb"), "--no-sync", "--auth=trust", "--username=postgres", "--encoding=UTF8",
                 "--locale=C.UTF-8", "--pgdata=" + file("data")},
                file("log"));
  start();
  session("postgres").rows("create database store_template");
  postgres_idempotency_store(postgres_options(url("store_template")))->maintenance()->migrate();
}

PostgresServer::PostgresServer(const PostgresServer& primary) : databases_(primary.databases_) {
  ServerProcess::hand_over(folder());
  run_as_server({program("pg_basebackup"), "--host=" + primary.folder(), "--port=" + std::to_string(primary.port()),
                 "--username=postgres", "--pgdata=" + file("data"), "--write-recovery-conf", "--checkpoint=fast",
                 "--no-sync", "--wal-method=stream"},
                file("log"));
  start();
}

PostgresServer::~PostgresServer() {
  if (process_) stop(Stop::immediate);
}

bool PostgresServer::try_start() {
  port_ = port_ == 0 ? free_port() : port_;
  process_ = std::make_unique<ServerProcess>(
      std::vector<std::string>{program("postgres"), "-D", file("data"), "-p", std::to_string(port_), "-k", folder(),
                               "-c", "listen_addresses=127.0.0.1", "-c",
                               disk_ == Disk::flushed ? "fsync=on" : "fsync=off", "-c", "max_connections=200", "-c",
                               "shared_buffers=32MB"},
      file("log"));
  for (int i = 0; i < 3'000; ++i) {
    if (PQping(conninfo("postgres").c_str()) == PQPING_OK) return true;
    if (process_->ended()) return false;
    std::this_thread::sleep_for(10ms);
  }
  throw std::runtime_error("PostgreSQL does not start");
}

void PostgresServer::start() {
  // After a kill its last sessions hold the memory for a moment.
  for (int i = 0; i < 100; ++i) {
    if (try_start()) return;
    std::this_thread::sleep_for(50ms);
    if (databases_ == 0) port_ = 0;
  }
  throw std::runtime_error("PostgreSQL does not start");
}

void PostgresServer::stop(Stop how) {
  process_->signal(how == Stop::fast ? SIGINT : SIGQUIT);
  process_->wait();
  process_.reset();
}

void PostgresServer::restart(Stop how) {
  stop(how);
  start();
}

void PostgresServer::kill() {
  process_->signal(SIGKILL);
  process_->wait();
  process_.reset();
}

void PostgresServer::promote() { session("postgres").value("select pg_promote(true, 60)"); }

std::string PostgresServer::new_database() {
  const auto name = "store" + std::to_string(++databases_);
  session("postgres").rows("create database " + name + " template store_template");
  session(name).rows("update sms_store set value = md5(random()::text) where name = 'identity'");
  return name;
}

std::string PostgresServer::new_empty_database() {
  const auto name = "empty" + std::to_string(++databases_);
  session("postgres").rows("create database " + name);
  return name;
}

std::string PostgresServer::conninfo(const std::string& database, bool tcp) const {
  return "host=" + (tcp ? "127.0.0.1" : folder()) + " port=" + std::to_string(port_) +
         " user=postgres dbname=" + database;
}

std::string PostgresServer::url(const std::string& database, bool tcp) const {
  return "postgres:?host=" + (tcp ? "127.0.0.1" : folder()) + "&port=" + std::to_string(port_) +
         "&user=postgres&dbname=" + database;
}

PostgresServer& PostgresServer::shared() {
  static PostgresServer server;
  return server;
}

}  // namespace sms::tests
