#pragma once

#include "core/attempt_run.hpp"

#include <cstddef>
#include <memory>
#include <mutex>
#include <unordered_set>

namespace sms::detail {

/// The attempts that nobody waits for, but whose answer would still settle an unknown outcome. Thread-safe.
class LateAnswers {
 public:
  void enter(const std::shared_ptr<AttemptRun>& run) {
    const std::lock_guard lock(mutex_);
    open_.insert(run);
  }
  void leave(const std::shared_ptr<AttemptRun>& run) {
    const std::lock_guard lock(mutex_);
    open_.erase(run);
  }
  std::size_t size() const {
    const std::lock_guard lock(mutex_);
    return open_.size();
  }
  void abandon_all() {
    std::unordered_set<std::shared_ptr<AttemptRun>> open;
    {
      const std::lock_guard lock(mutex_);
      open = open_;
    }
    for (const auto& run : open) run->abandon();
  }

 private:
  mutable std::mutex mutex_;
  std::unordered_set<std::shared_ptr<AttemptRun>> open_;
};

}  // namespace sms::detail
