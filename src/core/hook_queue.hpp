#pragma once

#include <sms/executor.hpp>
#include <sms/unique_function.hpp>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>

namespace sms::detail {

/// Runs observers on the executor, off the path of the sends. Bounded: what does not fit is dropped and counted.
class HookQueue {
 public:
  static constexpr std::size_t capacity = 4096;

  explicit HookQueue(std::shared_ptr<Executor> executor) : executor_(std::move(executor)) {}

  void post(UniqueFunction<void()> job);
  std::uint64_t dropped() const;
  /// Waits until nothing is queued or running. False when that took longer.
  bool drain(std::chrono::steady_clock::time_point deadline);
  /// No job starts any more; waits for running ones until `deadline`.
  void close(std::chrono::steady_clock::time_point deadline);

 private:
  struct State {
    mutable std::mutex mutex;
    std::condition_variable changed;
    std::size_t pending = 0;
    std::size_t running = 0;
    std::uint64_t dropped = 0;
    bool closed = false;
  };

  std::shared_ptr<Executor> executor_;
  std::shared_ptr<State> state_ = std::make_shared<State>();
};

}  // namespace sms::detail
