#pragma once

#include <sms/store_maintenance.hpp>

#include "stores/redis/options.hpp"
#include "stores/redis/resp.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sms::detail {

/// What a new connection asks first, in this order.
std::vector<RedisCommand> opening_commands(const RedisOptions& options);

/// What the answers say about the server.
struct RedisFacts {
  std::string version;
  std::string role;
  bool cluster = false;
  std::uint64_t max_memory = 0;
  std::string eviction_policy;
  bool append_only = false;
  std::optional<std::string> flush_policy;  ///< `appendfsync`; absent where CONFIG is forbidden.
  std::optional<int> min_replicas;          ///< `min-replicas-to-write`; the same.
  std::int64_t now_ms = 0;                  ///< The server's clock.
  std::vector<RespValue> slots = {};        ///< Of a cluster.
};
/// Throws `RedisRefusal` where the server does not let us in, `RedisLinkFailure` where it answers something else.
RedisFacts read_opening(const RedisOptions& options, std::span<const RespValue> answers);

/// What is to be said about such a server; with a `problem` it is not used.
std::vector<StoreFinding> judge(const RedisFacts& facts, const RedisOptions& options);
/// Throws `RedisRefusal` for the first problem.
void refuse_problems(const RedisFacts& facts, const RedisOptions& options);

}  // namespace sms::detail
