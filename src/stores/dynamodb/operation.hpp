#pragma once

#include <sms/clock.hpp>
#include <sms/error.hpp>
#include <sms/expected.hpp>

#include "core/task.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>

namespace sms::detail {

/// One call of the store on its way: until when it may go on, and how to stop what it waits for. Thread-safe.
class Operation {
 public:
  Operation(std::string name, BootClock::time_point deadline) : name_(std::move(name)), deadline_(deadline) {}
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;
  virtual ~Operation() = default;

  const std::string& name() const noexcept { return name_; }
  BootClock::time_point deadline() const;
  /// For work of many steps: each may take its time.
  void extend(BootClock::time_point deadline);
  /// Nobody waits any more: nothing further is sent.
  bool over() const noexcept { return over_.load(std::memory_order_acquire); }

  /// `stop` runs once when the operation is over, at once when it is already. One at a time; null for nothing.
  void on_over(UniqueFunction<void()> stop);
  /// The one that ends it at its deadline; forgotten when it is answered.
  void set_timer(std::shared_ptr<Timer> timer);
  void forget_timer();
  /// Answers it as unavailable and stops what it waits for.
  void give_up(const std::string& reason);
  /// Why it has not got on so far: part of the reason when its time is over.
  void note(std::string trouble);
  std::string trouble() const;

  StoreUnavailableError error(const std::string& reason) const { return {name_, reason}; }
  /// Of an operation that is over: what it was answered.
  StoreUnavailableError given_up() const;

 protected:
  virtual void fail(const StoreUnavailableError& error) = 0;

 private:
  std::string name_;
  mutable std::mutex mutex_;
  BootClock::time_point deadline_;
  std::atomic<bool> over_{false};
  UniqueFunction<void()> stop_;
  std::shared_ptr<Timer> timer_;
  std::string trouble_;
  std::string reason_ = "given up";
};

/// Marks the threads that are inside a callback of a user.
class InCallback {
 public:
  InCallback() { ++depth(); }
  InCallback(const InCallback&) = delete;
  InCallback& operator=(const InCallback&) = delete;
  ~InCallback() { --depth(); }
  static bool here() { return depth() > 0; }

 private:
  static int& depth() {
    thread_local int value = 0;
    return value;
  }
};

template <class T>
class TypedOperation final : public Operation {
 public:
  TypedOperation(std::string name, BootClock::time_point deadline, Callback<T> done)
      : Operation(std::move(name), deadline), done_(std::move(done)) {}

  /// The first answer counts.
  void answer(Expected<T> result) {
    if (answered_.exchange(true)) return;
    auto done = std::exchange(done_, {});
    const InCallback inside;
    done(std::move(result));
  }

 protected:
  void fail(const StoreUnavailableError& error) override { answer(error); }

 private:
  std::atomic<bool> answered_{false};
  Callback<T> done_;
};

/// The operations on their way. Thread-safe.
class Operations {
 public:
  /// False once it is closed.
  bool enter(const std::shared_ptr<Operation>& operation);
  void leave(const std::shared_ptr<Operation>& operation);
  /// Gives all up, and waits until they have left (inside a callback, which is part of one: does not wait).
  void close();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::unordered_set<std::shared_ptr<Operation>> open_;
  bool closed_ = false;
};

}  // namespace sms::detail
