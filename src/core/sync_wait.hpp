#pragma once

#include "core/task.hpp"

#include <future>
#include <memory>

namespace sms::detail {

/// Runs a task and waits for its value on this thread.
template <class T>
T sync_wait(Task<T> task) {
  auto promise = std::make_shared<std::promise<T>>();
  auto future = promise->get_future();
  [](Task<T> running, std::shared_ptr<std::promise<T>> result) -> Detached {
    try {
      result->set_value(co_await running);
    } catch (...) {
      result->set_exception(std::current_exception());
    }
  }(std::move(task), std::move(promise));
  return future.get();
}

}  // namespace sms::detail
