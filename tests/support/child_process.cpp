#include "support/child_process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <stdexcept>

extern char** environ;

namespace sms::tests {

ChildProcess::ChildProcess(const std::vector<std::string>& command) {
  std::array<int, 2> in{}, out{};
  if (pipe2(in.data(), O_CLOEXEC) != 0 || pipe2(out.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  std::vector<char*> arguments;
  for (const auto& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const int code = posix_spawn(&pid_, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(in[0]);
  close(out[1]);
  input_ = in[1];
  output_ = out[0];
  if (code != 0) throw std::runtime_error("cannot run " + command.front());
}

ChildProcess::~ChildProcess() {
  kill_and_wait();
  close(input_);
  close(output_);
}

void ChildProcess::write_line(const std::string& line) {
  const auto text = line + "\n";
  if (write(input_, text.data(), text.size()) < 0) throw std::runtime_error("the child does not listen");
}

std::string ChildProcess::read_line() {
  for (;;) {
    if (const auto end = read_.find('\n'); end != std::string::npos) {
      auto line = read_.substr(0, end);
      read_.erase(0, end + 1);
      return line;
    }
    std::array<char, 4096> buffer{};
    const auto size = read(output_, buffer.data(), buffer.size());
    if (size <= 0) return {};
    read_.append(buffer.data(), static_cast<std::size_t>(size));
  }
}

std::vector<std::string> ChildProcess::read_all() {
  std::vector<std::string> lines;
  for (auto line = read_line(); !line.empty(); line = read_line()) lines.push_back(line);
  return lines;
}

void ChildProcess::signal(int number) const {
  if (pid_ > 0) kill(pid_, number);
}

void ChildProcess::kill_and_wait() {
  signal(SIGKILL);
  wait();
}

int ChildProcess::wait() {
  int status = 0;
  if (pid_ > 0) waitpid(pid_, &status, 0);
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

}  // namespace sms::tests
