#pragma once

#include <sms/unique_function.hpp>

#include <chrono>
#include <memory>

namespace sms {

/// A moment in UTC with millisecond precision: what records, `send_at` and webhooks use.
using WallTime = std::chrono::sys_time<std::chrono::milliseconds>;

/// Marks time points of a clock that never jumps and that counts suspension of the machine (Linux: CLOCK_BOOTTIME). It
/// measures ages and durations; it is not comparable between machines or boots.
struct BootClock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<BootClock>;
  static constexpr bool is_steady = true;
  static time_point now() noexcept;
};

/// A running timer. Destroying the handle leaves the timer running.
class Timer {
 public:
  virtual ~Timer() = default;
  /// Forgets the timer. Its function may already be running, or about to run, on another thread; it never starts later
  /// than that. Safe from any thread and from the function itself; idempotent.
  virtual void cancel() noexcept = 0;
};

/// Port: time and timers. The default is `system_clock()`; tests use `sms::testing::FakeClock`.
///
/// All members are safe from any thread.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual WallTime now() const = 0;
  virtual BootClock::time_point boot_time() const = 0;
  /// Runs `fire` once, no sooner than `delay` from now (at once when negative), on a thread of the clock. `fire` must
  /// not block: other timers wait for it.
  virtual std::shared_ptr<Timer> after(std::chrono::nanoseconds delay, UniqueFunction<void()> fire) = 0;
};

/// The machine's clocks, with one timer thread that sleeps while no timer is due.
std::shared_ptr<Clock> system_clock();

}  // namespace sms
