#pragma once

#include <sms/expected.hpp>

#include "core/task.hpp"
#include "stores/dynamodb/operation.hpp"

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace sms::detail {

/// Lets many operations wait for one run of something. Thread-safe.
template <class T>
class SharedRun {
 public:
  /// The outcome of the run under way, or of a new one that `start(callback)` begins; an error when the operation is
  /// over before.
  template <class Start>
  Task<Expected<T>> outcome(Operation& operation, Start start) {
    auto answer = std::make_shared<Rendezvous<Expected<T>>>();
    bool first = false;
    {
      const std::lock_guard lock(state_->mutex);
      first = !std::exchange(state_->running, true);
      state_->waiting.push_back(answer);
    }
    operation.on_over([answer, error = operation.error("given up")] { answer->offer(error); });
    if (first) start(Callback<T>([state = state_](Expected<T> result) { state->end(result); }));
    auto result = co_await *answer;
    operation.on_over({});
    co_return result;
  }

 private:
  struct State {
    std::mutex mutex;
    bool running = false;
    std::vector<std::shared_ptr<Rendezvous<Expected<T>>>> waiting;

    void end(const Expected<T>& result) {
      std::vector<std::shared_ptr<Rendezvous<Expected<T>>>> all;
      {
        const std::lock_guard lock(mutex);
        running = false;
        all.swap(waiting);
      }
      for (const auto& one : all) one->offer(result);
    }
  };
  std::shared_ptr<State> state_ = std::make_shared<State>();
};

}  // namespace sms::detail
