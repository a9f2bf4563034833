#pragma once

#include <sms/clock.hpp>

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

namespace sms::testing {

/// A clock that stands still until it is told to go on: for tests that must not wait. Thread-safe.
class FakeClock : public Clock {
 public:
  explicit FakeClock(WallTime start = WallTime(std::chrono::milliseconds(1'800'000'000'000)));
  ~FakeClock() override;

  WallTime now() const override;
  BootClock::time_point boot_time() const override;
  std::shared_ptr<Timer> after(std::chrono::nanoseconds delay, UniqueFunction<void()> fire) override;

  /// Lets time pass. Timers that become due run on this thread, in their order, each at its own time.
  void advance(std::chrono::nanoseconds duration);
  /// Lets time pass while no timer runs, as for a stopped process or a suspended machine. They run with the next
  /// `advance`.
  void sleep(std::chrono::nanoseconds duration);
  /// Moves the wall clock alone, as an administrator or a time server does.
  void set_wall(WallTime now);
  /// Timers that have neither run nor been cancelled.
  std::size_t pending() const;

 private:
  class Queue;
  std::shared_ptr<Queue> queue_;
};

}  // namespace sms::testing
