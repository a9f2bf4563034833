#include "stores/dynamodb/operation.hpp"

#include <vector>

namespace sms::detail {

BootClock::time_point Operation::deadline() const {
  const std::lock_guard lock(mutex_);
  return deadline_;
}

void Operation::extend(BootClock::time_point deadline) {
  const std::lock_guard lock(mutex_);
  deadline_ = deadline;
}

void Operation::on_over(UniqueFunction<void()> stop) {
  {
    const std::lock_guard lock(mutex_);
    if (!over_) {
      stop_ = std::move(stop);
      return;
    }
  }
  if (stop) stop();
}

void Operation::give_up(const std::string& reason) {
  UniqueFunction<void()> stop;
  {
    const std::lock_guard lock(mutex_);
    if (over_.exchange(true)) return;
    reason_ = reason;
    stop = std::exchange(stop_, {});
  }
  fail(error(reason));
  if (stop) stop();
}

StoreUnavailableError Operation::given_up() const {
  const std::lock_guard lock(mutex_);
  return error(reason_);
}

void Operation::set_timer(std::shared_ptr<Timer> timer) {
  const std::lock_guard lock(mutex_);
  timer_ = std::move(timer);
}

void Operation::forget_timer() {
  std::shared_ptr<Timer> timer;
  {
    const std::lock_guard lock(mutex_);
    timer = std::exchange(timer_, {});
  }
  if (timer) timer->cancel();
}

void Operation::note(std::string trouble) {
  const std::lock_guard lock(mutex_);
  trouble_ = std::move(trouble);
}

std::string Operation::trouble() const {
  const std::lock_guard lock(mutex_);
  return trouble_;
}

bool Operations::enter(const std::shared_ptr<Operation>& operation) {
  const std::lock_guard lock(mutex_);
  if (closed_) return false;
  open_.insert(operation);
  return true;
}

void Operations::leave(const std::shared_ptr<Operation>& operation) {
  const std::lock_guard lock(mutex_);
  open_.erase(operation);
  changed_.notify_all();
}

void Operations::close() {
  std::vector<std::shared_ptr<Operation>> open;
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    open.assign(open_.begin(), open_.end());
  }
  for (const auto& operation : open) operation->give_up("the store was closed");
  if (InCallback::here()) return;
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return open_.empty(); });
}

}  // namespace sms::detail
