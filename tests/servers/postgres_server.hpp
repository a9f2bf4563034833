#pragma once

#include "servers/server_process.hpp"
#include "support/temporary_folder.hpp"

#include <memory>
#include <string>
#include <vector>

struct pg_conn;

namespace sms::tests {

/// A session as any other program would have it.
class PostgresSession {
 public:
  explicit PostgresSession(const std::string& conninfo);
  /// Every row as its values with `|` between them; null is empty. Throws what the server says.
  std::vector<std::string> rows(const std::string& sql);
  std::string value(const std::string& sql);
  /// Starts a statement and does not wait for it.
  void start(const std::string& sql);
  void finish();

 private:
  struct Closer {
    void operator()(pg_conn* connection) const;
  };
  std::unique_ptr<pg_conn, Closer> connection_;
};

/// A PostgreSQL of the test's own: new, in a temporary folder, on a port and a socket of its own.
class PostgresServer {
 public:
  enum class Stop { fast, immediate };

  /// Whether commits reach the disk: only what measures, or cuts the power, needs that.
  enum class Disk { cached, flushed };

  explicit PostgresServer(Disk disk = Disk::cached);
  /// A standby that follows `primary`.
  explicit PostgresServer(const PostgresServer& primary);
  ~PostgresServer();

  void start();
  void stop(Stop how = Stop::fast);
  void restart(Stop how = Stop::fast);
  /// `kill -9`, with all its sessions.
  void kill();
  void promote();

  /// A new database with the tables of the store.
  std::string new_database();
  std::string new_empty_database();
  /// `tcp`: through the loopback address instead of the socket.
  std::string url(const std::string& database, bool tcp = false) const;
  std::string conninfo(const std::string& database, bool tcp = false) const;
  PostgresSession session(const std::string& database) const { return PostgresSession(conninfo(database)); }
  int port() const { return port_; }
  std::string folder() const { return folder_.path().string(); }

  /// That the tests of this program share; databases keep them apart.
  static PostgresServer& shared();

 private:
  bool try_start();
  std::string file(const std::string& name) const { return folder_.file(name); }

  TemporaryFolder folder_;
  Disk disk_ = Disk::cached;
  int port_ = 0;
  int databases_ = 0;
  std::unique_ptr<ServerProcess> process_;
};

}  // namespace sms::tests
