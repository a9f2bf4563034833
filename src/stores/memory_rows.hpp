#pragma once

#include <sms/idempotency.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <queue>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sms::detail {

struct MemoryRow {
  /// Shared, so that an answer is copied after the lock is given back.
  std::shared_ptr<const IdempotencyRecord> record;
  std::string reservation_id;  ///< Stays with a final record.
  std::optional<WallTime> expires_at;
  WallTime since{};           ///< When it became reserved or final.
  std::uint64_t version = 0;  ///< Another one with every write.

  bool expired(WallTime now) const { return expires_at && *expires_at <= now; }
};

/// Some of the keys, under one lock.
class MemoryShard {
 public:
  using Rows = std::unordered_map<std::string, MemoryRow>;

  /// Runs `work(rows)` under the lock, after sweeping away a few expired rows: no call pays for the work of many.
  template <class Work>
  auto with(WallTime now, Work work) {
    const std::lock_guard lock(mutex_);
    for (int i = 0; i < 4 && !expiries_.empty() && expiries_.top().first <= now; ++i) {
      const auto row = rows_.find(expiries_.top().second);
      if (row != rows_.end() && row->second.expires_at == expiries_.top().first) rows_.erase(row);
      expiries_.pop();
    }
    return work(rows_);
  }
  /// The same, without sweeping.
  template <class Work>
  auto change(Work work) {
    const std::lock_guard lock(mutex_);
    return work(rows_);
  }
  template <class Work>
  auto look(Work work) const {
    const std::lock_guard lock(mutex_);
    return work(rows_);
  }

  /// Precondition: called within `with`.
  void write(const std::string& key, MemoryRow row) {
    if (row.expires_at) expiries_.emplace(*row.expires_at, key);
    rows_.insert_or_assign(key, std::move(row));
  }

 private:
  using Expiry = std::pair<WallTime, std::string>;

  mutable std::mutex mutex_;
  Rows rows_;
  std::priority_queue<Expiry, std::vector<Expiry>, std::greater<>> expiries_;
};

}  // namespace sms::detail
