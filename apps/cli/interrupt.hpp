#pragma once

#include <functional>
#include <stop_token>
#include <thread>

namespace sms::cli {

/// While it lives, Ctrl-C and SIGTERM cancel instead of killing: the first one requests a stop, the second ends the
/// process at once (exit code 130). To be made before any other thread is.
class Interrupt {
 public:
  /// `on_first` runs once, on another thread, with the first signal.
  explicit Interrupt(std::function<void()> on_first);
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;
  ~Interrupt();

  std::stop_token token() const { return source_.get_token(); }

 private:
  void wait_for_signals(const std::function<void()>& on_first);

  std::stop_source source_;
  std::thread thread_;
};

}  // namespace sms::cli
