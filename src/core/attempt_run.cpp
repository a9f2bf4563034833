#include "core/attempt_run.hpp"

#include <utility>

namespace sms::detail {
namespace {

std::exception_ptr exception_of(const Error& error) {
  auto thrown = error.cause();
  try {
    if (!thrown) error.raise();
  } catch (...) {
    thrown = std::current_exception();
  }
  return thrown;
}

}  // namespace

void AttemptRun::start(AdapterMessage message, SendContext context, AttemptGate::Check check) {
  const auto self = shared_from_this();
  gate_ = std::make_shared<AttemptGate>(std::move(check), [weak = weak_from_this()] {
    if (const auto run = weak.lock()) run->started();
  });
  context.gate = gate_;
  arm(limits_.queue, limits_.queue_reason);
  if (!adapter_->commits()) {
    gate_->started();
    if (!gate_->commit()) return offer({.kind = AttemptEnd::Kind::not_sent, .reason = gate_->reason()});
  }
  try {
    adapter_->send(std::move(message), std::move(context),
                   [self](Expected<AdapterOutcome> answer) { self->answered(std::move(answer)); });
  } catch (...) {
    gate_->cancel(AttemptGate::Reason::none);
    offer({.kind = AttemptEnd::Kind::threw, .thrown = std::current_exception()});
  }
}

void AttemptRun::arm(std::chrono::nanoseconds delay, AttemptGate::Reason reason) {
  auto timer = clock_->after(delay, [weak = weak_from_this(), reason] {
    if (const auto run = weak.lock()) run->stop(reason);
  });
  const std::lock_guard lock(mutex_);
  if (timer_) timer_->cancel();
  if (end_.claimed()) {
    timer->cancel();
  } else {
    timer_ = std::move(timer);
  }
}

void AttemptRun::started() {
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(has_started_, true)) return;
  }
  arm(limits_.attempt, AttemptGate::Reason::timeout);
}

void AttemptRun::stop(AttemptGate::Reason reason) {
  if (gate_->cancel(reason)) return offer({.kind = AttemptEnd::Kind::not_sent, .reason = reason});
  if (gate_->state() == AttemptGate::State::cancelled) {
    // By its last check: nothing leaves, whether the adapter says so or not.
    const auto refused = gate_->reason();
    return offer(
        {.kind = AttemptEnd::Kind::not_sent, .reason = refused == AttemptGate::Reason::none ? reason : refused});
  }
  if (reason == limits_.queue_reason) {
    const std::lock_guard lock(mutex_);
    if (has_started_) return;  // The attempt's own time-out took over.
  }
  offer({.kind = AttemptEnd::Kind::gave_up, .reason = reason});
}

void AttemptRun::answered(Expected<AdapterOutcome> answer) {
  if (!answer) {
    gate_->cancel(AttemptGate::Reason::none);
    if (!end_.offer({.kind = AttemptEnd::Kind::threw, .thrown = exception_of(answer.error())}))
      settle_watch(std::nullopt);
    return;
  }
  const bool stopped = gate_->state() == AttemptGate::State::cancelled && !std::holds_alternative<Accepted>(*answer);
  AttemptEnd end{.kind = stopped ? AttemptEnd::Kind::not_sent : AttemptEnd::Kind::answered, .reason = gate_->reason()};
  end.outcome = *answer;
  if (!end_.offer(std::move(end))) settle_watch(*std::move(answer));
}

void AttemptRun::offer(AttemptEnd end) { end_.offer(std::move(end)); }

void AttemptRun::forget_timers() {
  const std::lock_guard lock(mutex_);
  if (timer_) timer_->cancel();
  timer_ = nullptr;
}

void AttemptRun::watch(std::chrono::nanoseconds window, UniqueFunction<void(std::optional<AdapterOutcome>)> late) {
  std::optional<std::optional<AdapterOutcome>> early;
  {
    const std::lock_guard lock(mutex_);
    late_ = std::move(late);
    early = std::move(early_answer_);
    if (!early) {
      timer_ = clock_->after(window, [weak = weak_from_this()] {
        if (const auto run = weak.lock()) run->abandon();
      });
    }
  }
  if (early) settle_watch(std::move(*early));
}

void AttemptRun::abandon() {
  gate_->abandon();
  settle_watch(std::nullopt);
}

void AttemptRun::settle_watch(std::optional<AdapterOutcome> answer) {
  UniqueFunction<void(std::optional<AdapterOutcome>)> late;
  {
    const std::lock_guard lock(mutex_);
    if (watch_over_) return;
    if (!late_) {
      if (answer || !early_answer_) early_answer_ = std::move(answer);
      return;
    }
    watch_over_ = true;
    late = std::move(late_);
    late_ = {};
    if (timer_) timer_->cancel();
    timer_ = nullptr;
  }
  late(std::move(answer));
}

}  // namespace sms::detail
