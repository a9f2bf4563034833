#pragma once

#include <sms/clock.hpp>

#include <memory>
#include <mutex>
#include <optional>
#include <string_view>

namespace sms::detail {

/// The time of a server that says it in whole seconds with each answer. Starts with the wall clock of this machine and
/// keeps to it, millisecond by millisecond, as long as no answer proves it wrong: so machines with sound clocks agree,
/// and one whose clock is an hour off is within a second of the server after the first answer. Jumps of the wall clock
/// afterwards change nothing. Thread-safe.
class ServerClock {
 public:
  explicit ServerClock(std::shared_ptr<Clock> local);

  WallTime now() const;
  BootClock::time_point boot_time() const { return local_->boot_time(); }
  /// An answer with this header `Date` to a request that left at `sent`, read now. Other texts are ignored.
  void observe(std::string_view date, BootClock::time_point sent);
  /// How far this machine's wall clock is ahead of the server's, as far as is known.
  std::chrono::milliseconds ahead() const;
  bool observed() const;

 private:
  std::shared_ptr<Clock> local_;
  mutable std::mutex mutex_;
  std::chrono::nanoseconds offset_;  ///< From boot time to the server's.
  bool observed_ = false;
};

}  // namespace sms::detail
