#include "servers/server_process.hpp"

#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace sms::tests {
namespace {

struct User {
  uid_t uid;
  gid_t gid;
};

/// PostgreSQL and pgbouncer refuse to run as root.
std::optional<User> unprivileged_user() {
  if (geteuid() != 0) return std::nullopt;
  for (const char* name : {"postgres", "nobody"}) {
    if (const auto* entry = getpwnam(name)) return User{entry->pw_uid, entry->pw_gid};
  }
  throw std::runtime_error("no user to run servers as");
}

std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

}  // namespace

ServerProcess::ServerProcess(const std::vector<std::string>& command, const std::string& output) {
  std::vector<char*> arguments;
  for (const auto& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const auto user = unprivileged_user();
  const int log = open(output.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
  pid_ = fork();
  if (pid_ == 0) {
    dup2(null, STDIN_FILENO);
    dup2(log, STDOUT_FILENO);
    dup2(log, STDERR_FILENO);
    setpgid(0, 0);
    if (user && (setgroups(0, nullptr) != 0 || setgid(user->gid) != 0 || setuid(user->uid) != 0)) _exit(126);
    prctl(PR_SET_PDEATHSIG, SIGQUIT);
    if (chdir("/") != 0) _exit(126);
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  close(log);
  close(null);
  if (pid_ < 0) throw std::runtime_error("cannot run " + command.front());
}

ServerProcess::~ServerProcess() {
  if (pid_ < 0) return;
  signal(SIGKILL);
  wait();
}

void ServerProcess::signal(int number) const {
  if (pid_ > 0) kill(pid_, number);
}

std::optional<int> ServerProcess::ended() {
  int status = 0;
  if (pid_ > 0 && waitpid(pid_, &status, WNOHANG) == 0) return std::nullopt;
  pid_ = -1;
  return status;
}

int ServerProcess::wait() {
  int status = 0;
  if (pid_ > 0) waitpid(pid_, &status, 0);
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

void ServerProcess::hand_over(const std::string& path) {
  const auto user = unprivileged_user();
  if (user && chown(path.c_str(), user->uid, user->gid) != 0) throw std::runtime_error("cannot hand over " + path);
}

void run_as_server(const std::vector<std::string>& command, const std::string& output) {
  ServerProcess process(command, output);
  if (process.wait() != 0) throw std::runtime_error(command.front() + " failed: " + text_of(output));
}

}  // namespace sms::tests
