#include <sms/attempt_gate.hpp>

#include <utility>

namespace sms {

AttemptGate::AttemptGate(Check check, UniqueFunction<void()> on_started)
    : check_(std::move(check)), on_started_(std::move(on_started)) {}

void AttemptGate::started() {
  if (on_started_) on_started_();
}

bool AttemptGate::commit() {
  if (check_) {
    if (const auto refused = check_(); refused != Reason::none) {
      cancel(refused);
      return false;
    }
  }
  return turn({State::committed, Reason::none});
}

bool AttemptGate::cancel(Reason reason) {
  if (!turn({State::cancelled, reason})) return false;
  release();
  return true;
}

bool AttemptGate::turn(Switch to) noexcept {
  Switch open{State::open, Reason::none};
  return switch_.compare_exchange_strong(open, to, std::memory_order_acq_rel);
}

void AttemptGate::abandon() { release(); }

void AttemptGate::release() {
  UniqueFunction<void()> react;
  {
    const std::lock_guard lock(mutex_);
    released_ = true;
    react = std::move(react_);
    react_ = {};
  }
  if (react) react();
}

void AttemptGate::on_release(UniqueFunction<void()> react) {
  {
    const std::lock_guard lock(mutex_);
    if (!released_) {
      react_ = std::move(react);
      return;
    }
  }
  react();
}

}  // namespace sms
