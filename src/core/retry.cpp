#include <sms/retry.hpp>

#include <algorithm>
#include <cmath>

namespace sms {
namespace {

std::chrono::milliseconds backoff(const RetryOptions& options, int attempt, double random) {
  const double grown = std::ldexp(static_cast<double>(options.base_delay.count()), attempt - 1);
  const double bound = std::min(static_cast<double>(options.max_delay.count()), grown);
  return std::chrono::milliseconds(static_cast<std::int64_t>(random * bound));
}

}  // namespace

std::optional<std::chrono::milliseconds> retry_delay(const RetryOptions& options, int attempt,
                                                     std::optional<std::chrono::milliseconds> retry_after,
                                                     double random) {
  using std::chrono::milliseconds;
  if (attempt >= options.max_attempts) return std::nullopt;
  if (!retry_after) return backoff(options, attempt, random);
  if (*retry_after > options.max_delay) return std::nullopt;
  if (*retry_after > milliseconds(0)) return retry_after;
  return std::max(milliseconds(1), backoff(options, attempt, random));
}

}  // namespace sms
