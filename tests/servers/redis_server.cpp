#include "servers/redis_server.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <hiredis/hiredis.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>
#include <utility>

namespace sms::tests {
namespace {

using namespace std::chrono_literals;

struct Free {
  void operator()(redisContext* context) const { redisFree(context); }
  void operator()(void* reply) const { freeReplyObject(reply); }
};

std::string text_of(const redisReply& reply) {
  switch (reply.type) {
    case REDIS_REPLY_INTEGER:
      return std::to_string(reply.integer);
    case REDIS_REPLY_NIL:
      return "nil";
    case REDIS_REPLY_ARRAY: {
      std::string text;
      for (std::size_t i = 0; i < reply.elements; ++i) text += (i > 0 ? " " : "") + text_of(*reply.element[i]);
      return text;
    }
    default:
      return {reply.str, reply.len};
  }
}

}  // namespace

RedisServer::RedisServer(Options further) : options(std::move(further)), port_(free_port()) { start(); }

RedisServer::~RedisServer() { kill(); }

std::string RedisServer::url(const std::string& rest) const {
  return "redis://127.0.0.1:" + std::to_string(port_) + rest;
}

std::string RedisServer::ask(const std::vector<std::string>& command) const {
  const timeval patience{5, 0};
  const std::unique_ptr<redisContext, Free> context(redisConnectWithTimeout("127.0.0.1", port_, patience));
  if (!context || context->err != 0) return "no connection";
  redisSetTimeout(context.get(), patience);
  std::vector<const char*> words;
  std::vector<std::size_t> sizes;
  for (const auto& word : command) {
    words.push_back(word.data());
    sizes.push_back(word.size());
  }
  const std::unique_ptr<void, Free> reply(
      redisCommandArgv(context.get(), static_cast<int>(words.size()), words.data(), sizes.data()));
  return reply ? text_of(*static_cast<const redisReply*>(reply.get())) : "no answer";
}

void RedisServer::wait_for(const std::vector<std::string>& command, const std::string& answer) const {
  for (int tries = 0; tries < 1'500; ++tries) {
    if (ask(command).find(answer) != std::string::npos) return;
    std::this_thread::sleep_for(10ms);
  }
  throw std::runtime_error("redis-server does not come to answer " + answer + " to " + command.front());
}

void RedisServer::start() {
  const auto log = folder_.file("log");
  std::vector<std::string> words{"redis-server",
                                 "--port",
                                 std::to_string(port_),
                                 "--bind",
                                 "127.0.0.1",
                                 "--dir",
                                 folder_.path().string(),
                                 "--save",
                                 "",
                                 "--logfile",
                                 log,
                                 "--repl-diskless-sync-delay",
                                 "0"};
  words.insert(words.end(), options.begin(), options.end());
  std::vector<char*> arguments;
  for (auto& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ < 0) throw std::runtime_error("cannot fork");
  if (pid_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
    execvp(arguments[0], arguments.data());
    _exit(127);
  }
  wait_until_ready();
}

void RedisServer::wait_until_ready() const {
  for (int tries = 0; tries < 1'500; ++tries) {
    const auto answer = ask({"PING"});
    if (answer != "no connection" && answer != "no answer" && !answer.starts_with("LOADING")) return;
    if (waitpid(pid_, nullptr, WNOHANG) == pid_) throw std::runtime_error("redis-server does not start");
    std::this_thread::sleep_for(10ms);
  }
  throw std::runtime_error("redis-server does not answer");
}

void RedisServer::stop() { end(SIGTERM); }

void RedisServer::kill() { end(SIGKILL); }

void RedisServer::freeze() const { ::kill(pid_, SIGSTOP); }

void RedisServer::thaw() const { ::kill(pid_, SIGCONT); }

void RedisServer::end(int signal) {
  if (pid_ <= 0) return;
  ::kill(pid_, signal);
  waitpid(pid_, nullptr, 0);
  pid_ = -1;
}

}  // namespace sms::tests
