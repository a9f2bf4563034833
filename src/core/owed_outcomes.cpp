#include "core/owed_outcomes.hpp"

#include <utility>

namespace sms::detail {

bool OwedOutcomes::add(const Debt& debt) {
  const std::lock_guard lock(mutex_);
  const auto [at, is_new] = by_reservation_.try_emplace(debt.request.reservation_id);
  at->second.debt = debt;
  return is_new;
}

void OwedOutcomes::remove(const Debt& debt) {
  const std::lock_guard lock(mutex_);
  const auto at = by_reservation_.find(debt.request.reservation_id);
  if (at != by_reservation_.end() && at->second.debt.request.record == debt.request.record) by_reservation_.erase(at);
}

std::optional<Debt> OwedOutcomes::find(const std::string& key, const std::string& reservation_id) const {
  const std::lock_guard lock(mutex_);
  const auto at = by_reservation_.find(reservation_id);
  if (at == by_reservation_.end() || at->second.debt.request.key != key) return std::nullopt;
  return at->second.debt;
}

std::vector<OwedOutcome> OwedOutcomes::list() const {
  const std::lock_guard lock(mutex_);
  std::vector<OwedOutcome> owed;
  for (const auto& [reservation, entry] : by_reservation_)
    owed.push_back({entry.debt.request.key, entry.debt.request.record});
  return owed;
}

std::size_t OwedOutcomes::size() const {
  const std::lock_guard lock(mutex_);
  return by_reservation_.size();
}

std::shared_ptr<OwedOutcomes::Nap> OwedOutcomes::nap(const Debt& debt) {
  const std::lock_guard lock(mutex_);
  const auto at = by_reservation_.find(debt.request.reservation_id);
  if (given_up_ || at == by_reservation_.end()) return nullptr;
  return at->second.nap = std::make_shared<Nap>();
}

void OwedOutcomes::wake_all(bool go_on) {
  std::vector<std::shared_ptr<Nap>> naps;
  {
    const std::lock_guard lock(mutex_);
    given_up_ = given_up_ || !go_on;
    for (auto& [reservation, entry] : by_reservation_) {
      if (entry.nap) naps.push_back(std::exchange(entry.nap, nullptr));
    }
  }
  for (const auto& nap : naps) nap->offer(go_on);
}

}  // namespace sms::detail
