#include "core/flight.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace sms::detail {

std::optional<Flight::CallerId> Flight::join(Caller& caller) {
  const std::lock_guard lock(mutex_);
  if (cancelled_ || sealed_ || ended_) return std::nullopt;
  const auto id = next_id_++;
  callers_.push_back(Entry{id, std::move(caller), id == 1, nullptr});
  return id;
}

Caller Flight::withdraw() {
  const std::lock_guard lock(mutex_);
  auto caller = std::move(callers_.back().caller);
  callers_.clear();
  next_id_ = 1;
  return caller;
}

void Flight::watch(CallerId id, const std::stop_token& stop, const std::shared_ptr<Flight>& self) {
  if (!stop.stop_possible()) return;
  auto callback = std::make_unique<std::stop_callback<std::function<void()>>>(stop, [self, id] {
    const auto alive = self;  // Leaving destroys this function.
    alive->leave(id);
  });
  const std::lock_guard lock(mutex_);
  const auto entry = std::ranges::find(callers_, id, &Entry::id);
  if (entry != callers_.end()) entry->stop = std::move(callback);
}

void Flight::leave(CallerId id) {
  std::optional<Entry> leaving;
  UniqueFunction<void()> react;
  {
    const std::lock_guard lock(mutex_);
    const auto entry = std::ranges::find(callers_, id, &Entry::id);
    if (entry == callers_.end()) return;
    if (callers_.size() > 1) {
      leaving = std::move(*entry);
      callers_.erase(entry);
    } else {
      cancelled_ = true;
      react = std::move(react_);
      react_ = {};
    }
  }
  if (react) react();
  if (!leaving) return;
  if (remembered_) {
    leaving->caller.done(IdempotencyInProgressError(message_.key, message_.started));
  } else {
    leaving->caller.done(HandoffUnknownError(UnknownReason::aborted));
  }
}

void Flight::finish(SendOutcome outcome) {
  std::vector<Entry> callers;
  std::vector<UniqueFunction<void()>> after;
  {
    const std::lock_guard lock(mutex_);
    if (ended_) return;
    ended_ = true;
    react_ = {};
    callers.swap(callers_);
    after.swap(after_);
  }
  for (auto entry = callers.begin(); entry != callers.end(); ++entry) {
    auto answer = std::next(entry) == callers.end() ? std::move(outcome) : outcome;
    if (answer && !entry->first) answer->replayed = true;
    entry->caller.done(std::move(answer));
  }
  for (auto& next : after) next();
}

void Flight::after(UniqueFunction<void()> next) {
  {
    const std::lock_guard lock(mutex_);
    if (!ended_) {
      after_.push_back(std::move(next));
      return;
    }
  }
  next();
}

bool Flight::cancelled() const {
  const std::lock_guard lock(mutex_);
  return cancelled_;
}

bool Flight::closing() const {
  const std::lock_guard lock(mutex_);
  return closing_;
}

void Flight::cancel(bool closing) {
  UniqueFunction<void()> react;
  {
    const std::lock_guard lock(mutex_);
    cancelled_ = true;
    closing_ = closing_ || closing;
    react = std::move(react_);
    react_ = {};
  }
  if (react) react();
}

void Flight::on_cancel(UniqueFunction<void()> react) {
  {
    const std::lock_guard lock(mutex_);
    if (!cancelled_) {
      std::swap(react_, react);
      return;
    }
  }
  if (react) react();
}

std::optional<BootClock::time_point> Flight::deadline() const {
  const std::lock_guard lock(mutex_);
  std::optional<BootClock::time_point> latest;
  for (const auto& entry : callers_) {
    if (!entry.caller.deadline) return std::nullopt;
    latest = std::max(latest.value_or(*entry.caller.deadline), *entry.caller.deadline);
  }
  return latest;
}

std::optional<BootClock::time_point> Flight::release_impatient(BootClock::time_point now, WallTime since) {
  std::vector<Entry> leaving;
  std::optional<BootClock::time_point> next;
  {
    const std::lock_guard lock(mutex_);
    const auto tail = std::stable_partition(callers_.begin(), callers_.end(),
                                            [now](const Entry& entry) { return entry.caller.patience_end > now; });
    std::move(tail, callers_.end(), std::back_inserter(leaving));
    callers_.erase(tail, callers_.end());
    for (const auto& entry : callers_)
      next = std::min(next.value_or(entry.caller.patience_end), entry.caller.patience_end);
    sealed_ = sealed_ || !next;
  }
  for (auto& entry : leaving) entry.caller.done(IdempotencyInProgressError(message_.key, since));
  return next;
}

}  // namespace sms::detail
