#pragma once

#include <sms/executor.hpp>
#include <sms/unique_function.hpp>

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string_view>

namespace sms::detail {

/// Runs observers on the executor, off the path of the sends: those of one send one after another. Bounded: what does
/// not fit is dropped and counted.
class HookQueue {
 public:
  static constexpr std::size_t capacity = 4096;

  explicit HookQueue(std::shared_ptr<Executor> executor) : executor_(std::move(executor)) {}

  /// `send`: its ID, or whatever else the job must keep its order with.
  void post(std::string_view send, UniqueFunction<void()> job);
  std::uint64_t dropped() const;
  /// Waits until nothing is queued or running. False when that took longer.
  bool drain(std::chrono::steady_clock::time_point deadline);
  /// No job starts any more; waits for running ones until `deadline`.
  void close(std::chrono::steady_clock::time_point deadline);

 private:
  /// Jobs that must not overlap.
  struct Lane {
    std::deque<UniqueFunction<void()>> jobs;
    bool active = false;  ///< A job of it runs, or will.
  };
  struct State {
    mutable std::mutex mutex;
    std::condition_variable changed;
    std::array<Lane, 64> lanes;
    std::size_t pending = 0;
    std::size_t running = 0;
    std::uint64_t dropped = 0;
    bool closed = false;
  };

  /// Gives the executor the next job of the lane.
  static void advance(const std::shared_ptr<Executor>& executor, const std::shared_ptr<State>& state, Lane& lane);
  /// Moves what the lane has into `jobs`. Precondition: the lock is held.
  static void give_up(State& state, Lane& lane, std::deque<UniqueFunction<void()>>& jobs);

  std::shared_ptr<Executor> executor_;
  std::shared_ptr<State> state_ = std::make_shared<State>();
};

}  // namespace sms::detail
