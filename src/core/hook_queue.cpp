#include "core/hook_queue.hpp"

#include <utility>

namespace sms::detail {

void HookQueue::post(UniqueFunction<void()> job) {
  {
    const std::lock_guard lock(state_->mutex);
    if (state_->closed || state_->pending >= capacity) {
      ++state_->dropped;
      return;
    }
    ++state_->pending;
  }
  auto run = [state = state_, job = std::move(job)]() mutable {
    {
      const std::lock_guard lock(state->mutex);
      --state->pending;
      if (state->closed) {
        state->changed.notify_all();
        return;
      }
      ++state->running;
    }
    try {
      job();
    } catch (...) {  // An observer's own trouble.
    }
    job = {};
    const std::lock_guard lock(state->mutex);
    --state->running;
    state->changed.notify_all();
  };
  try {
    executor_->post(std::move(run));
  } catch (...) {  // No thread, or no room: that must not change what the send answers.
    const std::lock_guard lock(state_->mutex);
    --state_->pending;
    ++state_->dropped;
    state_->changed.notify_all();
  }
}

std::uint64_t HookQueue::dropped() const {
  const std::lock_guard lock(state_->mutex);
  return state_->dropped;
}

bool HookQueue::drain(std::chrono::steady_clock::time_point deadline) {
  std::unique_lock lock(state_->mutex);
  return state_->changed.wait_until(lock, deadline, [this] { return state_->pending == 0 && state_->running == 0; });
}

void HookQueue::close(std::chrono::steady_clock::time_point deadline) {
  std::unique_lock lock(state_->mutex);
  state_->closed = true;
  state_->changed.wait_until(lock, deadline, [this] { return state_->running == 0; });
}

}  // namespace sms::detail
