#include "integration/process.hpp"

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>

extern char** environ;

namespace sms::tests {

Process::Process(std::vector<std::string> command) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("pipe");
  std::vector<char*> arguments;
  for (auto& word : command) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  const int failed = posix_spawn(&pid_, command[0].c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  output_ = ends[0];
  if (failed != 0) throw std::runtime_error("cannot start " + command[0]);
}

Process::~Process() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, &status_, 0);
  }
  close(output_);
}

void Process::signal(int number) const { kill(pid_, number); }

bool Process::wait_stopped() {
  waitpid(pid_, &status_, WUNTRACED);
  return WIFSTOPPED(status_);
}

std::string Process::finish() {
  std::string all;
  char part[4096];
  for (;;) {
    const auto got = read(output_, part, sizeof part);
    if (got <= 0) break;
    all.append(part, static_cast<std::size_t>(got));
  }
  waitpid(pid_, &status_, 0);
  pid_ = -1;
  return all;
}

}  // namespace sms::tests
