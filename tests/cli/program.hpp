#pragma once

#include <sys/types.h>

#include <chrono>
#include <map>
#include <string>
#include <vector>

namespace sms::cli::tests {

/// What a run of the real program left.
struct Finished {
  int code = -1;  ///< Minus the signal when one ended it.
  std::string out;
  std::string err;
};

/// The real program in a process of its own, with an environment of its own and a directory of its own for its files.
class Program {
 public:
  explicit Program(std::vector<std::string> words, std::string input = {},
                   std::map<std::string, std::string> environment = {}, std::string directory = "/");
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program();

  void signal(int number) const;
  /// The next line of its output, as soon as it is there.
  std::string read_line();
  /// Closes its input and waits for its end.
  Finished finish();

 private:
  pid_t process_ = -1;
  int input_ = -1, output_ = -1, error_ = -1;
  std::string pending_input_;
};

/// Runs it to its end.
Finished run(std::vector<std::string> words, std::string input = {},
             std::map<std::string, std::string> environment = {}, std::string directory = "/");

/// An empty directory that goes with the object.
class Directory {
 public:
  Directory();
  ~Directory();
  std::string path(const std::string& name = "") const { return path_ + (name.empty() ? "" : "/" + name); }
  /// Writes a file and answers its path.
  std::string file(const std::string& name, const std::string& text) const;
  std::string read(const std::string& name) const;

 private:
  std::string path_;
};

}  // namespace sms::cli::tests
