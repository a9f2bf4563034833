#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace sms::tests {

/// A server's program, as a user that is not root: its output goes into a file. Ends with the test program.
class ServerProcess {
 public:
  ServerProcess(const std::vector<std::string>& command, const std::string& output);
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;
  /// Kills it.
  ~ServerProcess();

  void signal(int number) const;
  /// Its status where it has ended.
  std::optional<int> ended();
  /// Waits for its end; its exit code, negative for a signal.
  int wait();
  pid_t pid() const { return pid_; }

  /// Hands a file or folder to the user that the servers run as.
  static void hand_over(const std::string& path);

 private:
  pid_t pid_ = -1;
};

/// Runs a program to its end; throws with its output where it fails.
void run_as_server(const std::vector<std::string>& command, const std::string& output);

}  // namespace sms::tests
