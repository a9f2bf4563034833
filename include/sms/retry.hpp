#pragma once

#include <chrono>
#include <optional>

namespace sms {

/// Same-adapter retries, only after `rate_limited`.
struct RetryOptions {
  int max_attempts = 2;  ///< Counts the first; 1 to 100.
  std::chrono::milliseconds base_delay{500};
  std::chrono::milliseconds max_delay{10'000};  ///< A longer Retry-After ends the retries.
};

/// How long to wait after the given attempt (from 1) before the next one; absent: no further attempt.
///
/// The provider's wish where there is one and it is at most `max_delay`. A wish of zero, and none at all, is a backoff:
/// `random` (in [0, 1)) of `min(max_delay, base_delay * 2^(attempt-1))`, at least 1 ms after a wish of zero. Overflows
/// nothing.
std::optional<std::chrono::milliseconds> retry_delay(const RetryOptions& options, int attempt,
                                                     std::optional<std::chrono::milliseconds> retry_after,
                                                     double random);

}  // namespace sms
