#include <sms/clock.hpp>

#include <time.h>

#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

namespace sms {
namespace {

using Steady = std::chrono::steady_clock;

/// Timers in the order of their times. Shared with the handles, so that a handle may outlive the clock.
class TimerQueue {
 public:
  using Key = std::pair<Steady::time_point, std::uint64_t>;

  Key add(std::chrono::nanoseconds delay, UniqueFunction<void()> fire) {
    constexpr std::chrono::nanoseconds longest = std::chrono::hours(24 * 365 * 100);
    const auto due = Steady::now() + std::clamp(delay, std::chrono::nanoseconds::zero(), longest);
    // Notifies under the lock: as soon as it is given back, a timer may drop the clock, and this queue with it.
    const std::lock_guard lock(mutex_);
    const Key key{due, next_++};
    const auto at = timers_.emplace(key, std::move(fire)).first;
    if (at == timers_.begin()) changed_.notify_one();
    return key;
  }

  void remove(const Key& key) noexcept {
    UniqueFunction<void()> dropped;
    const std::lock_guard lock(mutex_);
    if (const auto at = timers_.find(key); at != timers_.end()) {
      dropped = std::move(at->second);
      timers_.erase(at);
    }
  }

  void run() {
    std::unique_lock lock(mutex_);
    while (!stopped_) {
      if (timers_.empty()) {
        changed_.wait(lock);
        continue;
      }
      const auto first = timers_.begin();
      if (const auto due = first->first.first; due > Steady::now()) {
        changed_.wait_until(lock, due);
        continue;
      }
      auto fire = std::move(first->second);
      timers_.erase(first);
      lock.unlock();
      fire();
      fire = {};
      lock.lock();
    }
  }

  void stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<Key, UniqueFunction<void()>> timers_;
  std::uint64_t next_ = 0;
  bool stopped_ = false;
};

class QueuedTimer final : public Timer {
 public:
  QueuedTimer(std::shared_ptr<TimerQueue> queue, TimerQueue::Key key) : queue_(std::move(queue)), key_(key) {}
  void cancel() noexcept override { queue_->remove(key_); }

 private:
  std::shared_ptr<TimerQueue> queue_;
  TimerQueue::Key key_;
};

class SystemClock final : public Clock {
 public:
  ~SystemClock() override {
    queue_->stop();
    if (!thread_.joinable()) return;
    if (thread_.get_id() == std::this_thread::get_id()) {
      thread_.detach();
    } else {
      thread_.join();
    }
  }

  WallTime now() const override {
    return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  }
  BootClock::time_point boot_time() const override { return BootClock::now(); }

  std::shared_ptr<Timer> after(std::chrono::nanoseconds delay, UniqueFunction<void()> fire) override {
    std::call_once(started_, [this] { thread_ = std::thread([queue = queue_] { queue->run(); }); });
    return std::make_shared<QueuedTimer>(queue_, queue_->add(delay, std::move(fire)));
  }

 private:
  std::shared_ptr<TimerQueue> queue_ = std::make_shared<TimerQueue>();
  std::once_flag started_;
  std::thread thread_;
};

}  // namespace

BootClock::time_point BootClock::now() noexcept {
  timespec time{};
  clock_gettime(CLOCK_BOOTTIME, &time);
  return time_point(std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec));
}

std::shared_ptr<Clock> system_clock() { return std::make_shared<SystemClock>(); }

}  // namespace sms
