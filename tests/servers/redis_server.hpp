#pragma once

#include "servers/free_port.hpp"
#include "support/temporary_folder.hpp"

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace sms::tests {

/// A redis-server in a folder of its own, killed when it is forgotten. The constructor returns when it answers.
class RedisServer {
 public:
  using Options = std::vector<std::string>;

  /// `options`: further words of the command line, as `{"--appendonly", "yes"}`. It listens on `port`, with no TLS
  /// unless the options say so.
  explicit RedisServer(Options options = {});
  RedisServer(const RedisServer&) = delete;
  RedisServer& operator=(const RedisServer&) = delete;
  ~RedisServer();

  std::uint16_t port() const { return port_; }
  const TemporaryFolder& folder() const { return folder_; }
  /// `redis://127.0.0.1:port` and what follows.
  std::string url(const std::string& rest = {}) const;

  /// What the server answers to a command, in one line: arrays with spaces between their items.
  std::string ask(const std::vector<std::string>& command) const;
  /// Waits until the command is answered so.
  void wait_for(const std::vector<std::string>& command, const std::string& answer) const;

  /// Starts it again, on the same port and data.
  void start();
  void wait_until_ready() const;
  /// Asks it to end, and waits.
  void stop();
  void kill();
  /// Stops and goes on, as a machine that hangs.
  void freeze() const;
  void thaw() const;

  /// The words after the port of the command line, for the next start.
  Options options;

 private:
  void end(int signal);

  TemporaryFolder folder_;
  std::uint16_t port_;
  pid_t pid_ = -1;
};

}  // namespace sms::tests
