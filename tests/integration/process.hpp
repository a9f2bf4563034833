#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace sms::tests {

/// A child process whose standard output is read.
class Process {
 public:
  explicit Process(std::vector<std::string> command);
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process();

  void signal(int number) const;
  /// Waits until it is stopped by a signal; false when it has ended instead.
  bool wait_stopped();
  /// Waits for its end and answers all that it wrote.
  std::string finish();
  /// What waitpid(2) said; after `finish`.
  int status() const noexcept { return status_; }

 private:
  pid_t pid_ = -1;
  int output_ = -1;
  int status_ = 0;
};

}  // namespace sms::tests
