#include <sms/testing/fake_clock.hpp>

#include <optional>

namespace sms::testing {

class FakeClock::Queue {
 public:
  using Key = std::pair<std::chrono::nanoseconds, std::uint64_t>;

  explicit Queue(WallTime start) : wall_offset_(start.time_since_epoch()) {}

  mutable std::mutex mutex_;
  std::chrono::nanoseconds elapsed_{0};
  std::chrono::nanoseconds wall_offset_;
  std::map<Key, UniqueFunction<void()>> timers_;
  std::uint64_t next_ = 0;

  std::optional<UniqueFunction<void()>> take_due(std::chrono::nanoseconds until) {
    const std::lock_guard lock(mutex_);
    if (timers_.empty() || timers_.begin()->first.first > until) {
      elapsed_ = std::max(elapsed_, until);
      return std::nullopt;
    }
    const auto first = timers_.begin();
    elapsed_ = std::max(elapsed_, first->first.first);
    auto fire = std::move(first->second);
    timers_.erase(first);
    return fire;
  }
};

namespace {

class FakeTimer final : public Timer {
 public:
  explicit FakeTimer(UniqueFunction<void()> forget) : forget_(std::move(forget)) {}
  void cancel() noexcept override { forget_(); }

 private:
  UniqueFunction<void()> forget_;
};

}  // namespace

FakeClock::FakeClock(WallTime start) : queue_(std::make_shared<Queue>(start)) {}
FakeClock::~FakeClock() = default;

WallTime FakeClock::now() const {
  const std::lock_guard lock(queue_->mutex_);
  return WallTime(std::chrono::floor<std::chrono::milliseconds>(queue_->wall_offset_ + queue_->elapsed_));
}

BootClock::time_point FakeClock::boot_time() const {
  const std::lock_guard lock(queue_->mutex_);
  return BootClock::time_point(std::chrono::hours(1) + queue_->elapsed_);
}

std::shared_ptr<Timer> FakeClock::after(std::chrono::nanoseconds delay, UniqueFunction<void()> fire) {
  const std::lock_guard lock(queue_->mutex_);
  const Queue::Key key{queue_->elapsed_ + std::max(delay, std::chrono::nanoseconds(0)), queue_->next_++};
  queue_->timers_.emplace(key, std::move(fire));
  return std::make_shared<FakeTimer>([queue = queue_, key] {
    UniqueFunction<void()> dropped;
    const std::lock_guard timers(queue->mutex_);
    if (const auto at = queue->timers_.find(key); at != queue->timers_.end()) {
      dropped = std::move(at->second);
      queue->timers_.erase(at);
    }
  });
}

void FakeClock::advance(std::chrono::nanoseconds duration) {
  std::chrono::nanoseconds until{};
  {
    const std::lock_guard lock(queue_->mutex_);
    until = queue_->elapsed_ + duration;
  }
  while (auto fire = queue_->take_due(until)) (*fire)();
}

void FakeClock::sleep(std::chrono::nanoseconds duration) {
  const std::lock_guard lock(queue_->mutex_);
  queue_->elapsed_ += duration;
}

void FakeClock::set_wall(WallTime now) {
  const std::lock_guard lock(queue_->mutex_);
  queue_->wall_offset_ = now.time_since_epoch() - queue_->elapsed_;
}

std::size_t FakeClock::pending() const {
  const std::lock_guard lock(queue_->mutex_);
  return queue_->timers_.size();
}

}  // namespace sms::testing
