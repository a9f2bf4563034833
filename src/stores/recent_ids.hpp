#pragma once

#include <cstddef>
#include <deque>
#include <mutex>
#include <set>
#include <string>

namespace sms::detail {

/// The latest reservation IDs of some kind. An ID serves one send, which claims for seconds: older ones are forgotten.
/// Thread-safe.
class RecentIds {
 public:
  void add(const std::string& reservation_id) {
    constexpr std::size_t most = 16'384;
    const std::lock_guard lock(mutex_);
    if (!ids_.insert(reservation_id).second) return;
    order_.push_back(reservation_id);
    if (order_.size() <= most) return;
    ids_.erase(order_.front());
    order_.pop_front();
  }
  bool holds(const std::string& reservation_id) const {
    const std::lock_guard lock(mutex_);
    return ids_.contains(reservation_id);
  }

 private:
  mutable std::mutex mutex_;
  std::set<std::string> ids_;
  std::deque<std::string> order_;
};

}  // namespace sms::detail
