#pragma once

#include <sms/clock.hpp>

#include <atomic>
#include <coroutine>
#include <exception>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

namespace sms::detail {

template <class T>
class Task;

/// What the promises of all tasks share: who waits, and what was thrown.
class TaskPromiseBase {
 public:
  struct Final {
    bool await_ready() const noexcept { return false; }
    template <class Promise>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> ended) noexcept {
      return ended.promise().continuation_;
    }
    void await_resume() const noexcept {}
  };

  std::suspend_always initial_suspend() const noexcept { return {}; }
  Final final_suspend() const noexcept { return {}; }
  void unhandled_exception() noexcept { thrown_ = std::current_exception(); }
  void continue_with(std::coroutine_handle<> continuation) noexcept { continuation_ = continuation; }

 protected:
  std::coroutine_handle<> continuation_ = std::noop_coroutine();
  std::exception_ptr thrown_;
};

template <class T>
class TaskPromise : public TaskPromiseBase {
 public:
  Task<T> get_return_object() noexcept;
  template <class U>
  void return_value(U&& value) {
    value_.emplace(std::forward<U>(value));
  }
  T take() {
    if (thrown_) std::rethrow_exception(thrown_);
    return std::move(*value_);
  }

 private:
  std::optional<T> value_;
};

template <>
class TaskPromise<void> : public TaskPromiseBase {
 public:
  Task<void> get_return_object() noexcept;
  void return_void() const noexcept {}
  void take() const {
    if (thrown_) std::rethrow_exception(thrown_);
  }
};

/// A lazy coroutine: it runs when it is awaited, on the awaiting thread until its first suspension, then on whichever
/// thread resumes it.
template <class T>
class [[nodiscard]] Task {
 public:
  using promise_type = TaskPromise<T>;

  explicit Task(std::coroutine_handle<promise_type> frame) noexcept : frame_(frame) {}
  Task(Task&& other) noexcept : frame_(std::exchange(other.frame_, {})) {}
  Task& operator=(Task&&) = delete;
  ~Task() {
    if (frame_) frame_.destroy();
  }

  bool await_ready() const noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> waiting) noexcept {
    frame_.promise().continue_with(waiting);
    return frame_;
  }
  T await_resume() { return frame_.promise().take(); }

 private:
  std::coroutine_handle<promise_type> frame_;
};

template <class T>
Task<T> TaskPromise<T>::get_return_object() noexcept {
  return Task<T>(std::coroutine_handle<TaskPromise>::from_promise(*this));
}
inline Task<void> TaskPromise<void>::get_return_object() noexcept {
  return Task<void>(std::coroutine_handle<TaskPromise>::from_promise(*this));
}

/// A coroutine that nobody awaits: it starts at once and frees itself. Its body must not throw.
struct Detached {
  struct promise_type {
    Detached get_return_object() const noexcept { return {}; }
    std::suspend_never initial_suspend() const noexcept { return {}; }
    std::suspend_never final_suspend() const noexcept { return {}; }
    void return_void() const noexcept {}
    [[noreturn]] void unhandled_exception() const noexcept { std::terminate(); }
  };
};

/// Where a coroutine waits for the first of several answers: a callback, a timer, a cancellation. The first `offer`
/// counts; it resumes the waiting coroutine on the offering thread. Lives in a `shared_ptr`, since late answers still
/// come.
template <class T>
class Rendezvous {
 public:
  /// True for the first offer.
  bool offer(T value) {
    if (claimed_.exchange(true, std::memory_order_acq_rel)) return false;
    value_.emplace(std::move(value));
    if (state_.exchange(State::filled, std::memory_order_acq_rel) == State::waiting) waiting_.resume();
    return true;
  }
  bool claimed() const noexcept { return claimed_.load(std::memory_order_acquire); }

  struct Awaiter {
    Rendezvous& rendezvous;
    bool await_ready() const noexcept { return rendezvous.filled(); }
    bool await_suspend(std::coroutine_handle<> waiting) noexcept { return rendezvous.wait(waiting); }
    T await_resume() { return rendezvous.take(); }
  };
  Awaiter operator co_await() noexcept { return Awaiter{*this}; }

  bool filled() const noexcept { return state_.load(std::memory_order_acquire) == State::filled; }
  /// False when the answer is there already.
  bool wait(std::coroutine_handle<> waiting) noexcept {
    waiting_ = waiting;
    auto expected = State::empty;
    return state_.compare_exchange_strong(expected, State::waiting, std::memory_order_acq_rel);
  }
  T take() { return std::move(*value_); }

 private:
  enum class State { empty, waiting, filled };
  std::atomic<bool> claimed_{false};
  std::atomic<State> state_{State::empty};
  std::optional<T> value_;
  std::coroutine_handle<> waiting_;
};

/// A `Rendezvous` with a timer that is forgotten once there is an answer.
template <class T>
class Bounded {
 public:
  explicit Bounded(std::shared_ptr<Rendezvous<T>> answer, std::shared_ptr<Timer> timer)
      : answer_(std::move(answer)), timer_(std::move(timer)) {}

  bool await_ready() const noexcept { return answer_->filled(); }
  bool await_suspend(std::coroutine_handle<> waiting) noexcept { return answer_->wait(waiting); }
  T await_resume() {
    if (timer_) timer_->cancel();
    return answer_->take();
  }

 private:
  std::shared_ptr<Rendezvous<T>> answer_;
  std::shared_ptr<Timer> timer_;
};

}  // namespace sms::detail
