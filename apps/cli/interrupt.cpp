#include "interrupt.hpp"

#include <signal.h>
#include <unistd.h>

namespace sms::cli {

namespace {

int end_signal() { return SIGRTMIN; }

sigset_t awaited_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, end_signal());
  return set;
}

constexpr int interrupted_exit_code = 130;

}  // namespace

Interrupt::Interrupt(std::function<void()> on_first) {
  const sigset_t set = awaited_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  thread_ = std::thread([this, first = std::move(on_first)] { wait_for_signals(first); });
}

Interrupt::~Interrupt() {
  pthread_kill(thread_.native_handle(), end_signal());
  thread_.join();
  const sigset_t set = awaited_signals();
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

void Interrupt::wait_for_signals(const std::function<void()>& on_first) {
  const sigset_t set = awaited_signals();
  for (;;) {
    int signal = 0;
    if (sigwait(&set, &signal) != 0) continue;
    if (signal == end_signal()) return;
    if (source_.stop_requested()) _exit(interrupted_exit_code);
    source_.request_stop();
    on_first();
  }
}

}  // namespace sms::cli
