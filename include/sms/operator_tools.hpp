#pragma once

#include <sms/operator_store.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>

namespace sms {

/// Tools for operators over any store that has their interface. They block, and throw what the store throws.

/// Calls `visit` with every key of all pages, from the page that `request` names, until it answers false. A key that
/// changes meanwhile may be seen twice, or not at all. Answers how many were visited.
std::size_t for_each_key(OperatorStore& store, ListRequest request, const std::function<bool(const KeyView&)>& visit);

struct PurgeOptions {
  std::size_t batch = 1'000;           ///< Records in one deletion at most.
  std::chrono::milliseconds pause{0};  ///< Between two deletions, for those who send meanwhile.
  std::optional<std::size_t> limit = {};
  std::stop_token stop = {};
  WallTime now{};
};
/// Deletes what has expired, batch by batch, until nothing is left, `limit` is reached or it is told to stop. Answers
/// how many.
std::size_t purge_all(OperatorStore& store, const PurgeOptions& options);

/// From when on somebody should be called.
struct WatchLimits {
  std::uint64_t max_open = 0;  ///< Unknown keys and stale reservations together.
  std::optional<std::uint64_t> max_stale = {};
  std::optional<std::chrono::milliseconds> max_age = {};  ///< Of the oldest open key.
};
struct WatchReport {
  StoreStats stats;
  std::uint64_t open = 0;
  std::chrono::milliseconds oldest_open{0};  ///< How long the oldest open key has been what it is; 0 without one.
  bool open_exceeded = false, stale_exceeded = false, age_exceeded = false;

  bool within_limits() const noexcept { return !open_exceeded && !stale_exceeded && !age_exceeded; }
};
WatchReport watch(OperatorStore& store, const WatchLimits& limits, WallTime now);

}  // namespace sms
