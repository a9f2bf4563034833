#pragma once

#include <sms/stores/redis.hpp>

namespace sms::detail {

inline constexpr int most_replicas = 100;

/// The options themselves; throws `ConfigurationError` for what cannot work.
RedisOptions checked(RedisOptions options);

/// Where a server listens.
struct RedisEndpoint {
  std::string host;
  std::uint16_t port = 0;
  auto operator<=>(const RedisEndpoint&) const = default;
};

}  // namespace sms::detail
