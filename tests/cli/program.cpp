#include "program.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace sms::cli::tests {

namespace {

struct Ends {
  int read = -1, write = -1;
};

Ends make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("pipe");
  return {ends[0], ends[1]};
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

void close_end(int& fd) {
  if (fd >= 0) ::close(fd);
  fd = -1;
}

}  // namespace

Program::Program(std::vector<std::string> words, std::string input, std::map<std::string, std::string> environment,
                 std::string directory)
    : pending_input_(std::move(input)) {
  ::signal(SIGPIPE, SIG_IGN);
  std::vector<std::string> variables{"PATH=/usr/bin:/bin"};
  for (const auto& [name, value] : environment) variables.push_back(name + "=" + value);
  words.insert(words.begin(), SMS_SDK_PROGRAM);
  const auto arguments = pointers(words);
  const auto environment_block = pointers(variables);
  const Ends in = make_pipe(), out = make_pipe(), err = make_pipe();
  process_ = ::fork();
  if (process_ == 0) {
    ::dup2(in.read, 0);
    ::dup2(out.write, 1);
    ::dup2(err.write, 2);
    if (::chdir(directory.c_str()) == 0) ::execve(arguments[0], arguments.data(), environment_block.data());
    ::_exit(127);
  }
  ::close(in.read);
  ::close(out.write);
  ::close(err.write);
  input_ = in.write;
  output_ = out.read;
  error_ = err.read;
}

Program::~Program() {
  if (process_ > 0) {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  close_end(input_);
  close_end(output_);
  close_end(error_);
}

void Program::signal(int number) const { ::kill(process_, number); }

std::string Program::read_line() {
  std::string line;
  for (char c = 0; ::read(output_, &c, 1) == 1 && c != '\n';) line += c;
  return line;
}

Finished Program::finish() {
  Finished finished;
  while (output_ >= 0 || error_ >= 0) {
    if (pending_input_.empty()) close_end(input_);
    std::array<pollfd, 3> waiting{{{input_, POLLOUT, 0}, {output_, POLLIN, 0}, {error_, POLLIN, 0}}};
    ::poll(waiting.data(), waiting.size(), -1);
    if (waiting[0].revents != 0) {
      const auto count = ::write(input_, pending_input_.data(), std::min<std::size_t>(pending_input_.size(), 4096));
      pending_input_.erase(0, count > 0 ? static_cast<std::size_t>(count) : pending_input_.size());
    }
    for (const std::size_t i : {1U, 2U}) {
      if (waiting[i].revents == 0) continue;
      std::array<char, 4096> chunk{};
      int& fd = i == 1 ? output_ : error_;
      const auto count = ::read(fd, chunk.data(), chunk.size());
      if (count > 0) (i == 1 ? finished.out : finished.err).append(chunk.data(), static_cast<std::size_t>(count));
      if (count <= 0) close_end(fd);
    }
  }
  int status = 0;
  ::waitpid(std::exchange(process_, -1), &status, 0);
  finished.code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  return finished;
}

Finished run(std::vector<std::string> words, std::string input, std::map<std::string, std::string> environment,
             std::string directory) {
  return Program(std::move(words), std::move(input), std::move(environment), std::move(directory)).finish();
}

Directory::Directory() {
  std::string pattern = (std::filesystem::temp_directory_path() / "sms-sdk-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp");
  path_ = pattern;
}

Directory::~Directory() { std::filesystem::remove_all(path_); }

std::string Directory::file(const std::string& name, const std::string& text) const {
  std::ofstream(path(name)) << text;
  return path(name);
}

std::string Directory::read(const std::string& name) const {
  std::ifstream file(path(name));
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace sms::cli::tests
