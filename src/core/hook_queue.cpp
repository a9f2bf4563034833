#include "core/hook_queue.hpp"

#include <functional>
#include <utility>

namespace sms::detail {

void HookQueue::post(std::string_view send, UniqueFunction<void()> job) {
  auto& lane = state_->lanes[std::hash<std::string_view>{}(send) % state_->lanes.size()];
  {
    const std::lock_guard lock(state_->mutex);
    if (state_->closed || state_->pending >= capacity) {
      ++state_->dropped;
      return;
    }
    ++state_->pending;
    lane.jobs.push_back(std::move(job));
    if (std::exchange(lane.active, true)) return;
  }
  advance(executor_, state_, lane);
}

void HookQueue::advance(const std::shared_ptr<Executor>& executor, const std::shared_ptr<State>& state, Lane& lane) {
  const auto run = [again = std::weak_ptr(executor), state, &lane] {
    std::deque<UniqueFunction<void()>> jobs;  // Destroyed without the lock: a job may hold the last of a client.
    {
      const std::lock_guard lock(state->mutex);
      if (state->closed) {
        give_up(*state, lane, jobs);
        return;
      }
      jobs.push_back(std::move(lane.jobs.front()));
      lane.jobs.pop_front();
      --state->pending;
      ++state->running;
    }
    try {
      jobs.front()();
    } catch (...) {  // An observer's own trouble.
    }
    const auto there = again.lock();
    jobs.clear();
    {
      const std::lock_guard lock(state->mutex);
      --state->running;
      lane.active = there != nullptr && !lane.jobs.empty();
      state->changed.notify_all();
      if (!lane.active) return;
    }
    advance(there, state, lane);
  };
  try {
    executor->post(run);
  } catch (...) {  // No thread, or no room: that must not change what the send answers.
    std::deque<UniqueFunction<void()>> jobs;
    const std::lock_guard lock(state->mutex);
    state->dropped += lane.jobs.size();
    give_up(*state, lane, jobs);
  }
}

void HookQueue::give_up(State& state, Lane& lane, std::deque<UniqueFunction<void()>>& jobs) {
  state.pending -= lane.jobs.size();
  jobs.swap(lane.jobs);
  lane.active = false;
  state.changed.notify_all();
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
