#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace sms::tests {

/// A program that runs beside the test. Killed when it is forgotten.
class ChildProcess {
 public:
  explicit ChildProcess(const std::vector<std::string>& command);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();

  void write_line(const std::string& line);
  /// The next line of its output; empty at the end.
  std::string read_line();
  /// What it says until its end.
  std::vector<std::string> read_all();
  void signal(int number) const;
  void kill_and_wait();
  /// Its exit code; negative for a signal.
  int wait();

 private:
  pid_t pid_ = -1;
  int input_ = -1;
  int output_ = -1;
  std::string read_;
};

}  // namespace sms::tests
