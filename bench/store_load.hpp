#pragma once

#include <sms/idempotency.hpp>

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace sms::bench {

struct Load {
  std::size_t in_flight = 1;
  bool finalize = true;  ///< Pairs of reserve and finalize; else claims alone.
  std::chrono::milliseconds duration{3'000};
  std::string key_prefix;  ///< Of keys that nobody used before.
};

struct LoadResult {
  std::size_t done = 0;
  std::size_t failed = 0;
  double per_second = 0;
  std::chrono::microseconds p50{0}, p99{0};
};

/// Keeps `in_flight` keys under way for a while: each is claimed and finalized, then the next one begins.
LoadResult run(IdempotencyStore& store, const Load& load);

/// Reads of one accepted key, one after another, and claims of it, which are answered with its record.
LoadResult run_gets(IdempotencyStore& store, const std::string& key, std::chrono::milliseconds duration);
LoadResult run_replays(IdempotencyStore& store, const std::string& key, std::chrono::milliseconds duration);

}  // namespace sms::bench
