#pragma once

#include <sms/idempotency.hpp>
#include <sms/secret.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace sms {

/// What the start-up checks refuse, or warn about, unless told that it is meant.
struct RedisAllowances {
  bool eviction = false;        ///< `maxmemory` with a policy other than `noeviction`: an evicted key is sent again.
  bool no_persistence = false;  ///< `appendonly no` or `appendfsync everysec`: a finding less.
  bool old_version = false;     ///< Older than 6.2.
};

struct RedisOptions {
  std::string host = "localhost";
  std::uint16_t port = 6379;
  std::string user = {};  ///< Of an ACL; empty: the default user.
  Secret password = {};
  int database = 0;  ///< Of a server that is no cluster.
  /// Begins the name of every key of the store; without `{` and `}`. Stores with different prefixes know nothing of
  /// each other.
  std::string prefix = "sms:";
  bool tls = false;          ///< With the server's certificate and name verified.
  std::string ca_file = {};  ///< PEM; empty: those that the system trusts.
  /// How long an operation may take, from the call to the answer. Keep it below the client's `store_timeout`.
  std::chrono::milliseconds operation_timeout{4'000};
  /// Replicas that must have received a write before it is answered; fewer of them are `StoreUnavailableError`.
  int wait_replicas = 0;
  std::chrono::milliseconds wait_timeout{1'000};
  std::size_t max_waiting = 100'000;  ///< Operations without an answer; what comes on top fails at once.
  RedisAllowances allow = {};
};

/// Reads `redis://[user[:password]@]host[:port][/database][?name=value&..]`, or `rediss://` for TLS, percent-decoded.
/// Names: `prefix`, `ca_file`, `operation_timeout`, `wait_replicas`, `wait_timeout` (as `4s` or `500ms`), and with the
/// value `true` or `false` `allow_eviction`, `allow_no_persistence`, `allow_old_version`. Throws `ConfigurationError`,
/// which names the rule and never the URL.
RedisOptions redis_options(std::string_view url);

/// Keeps keys in Redis (6.2 or newer) or Valkey, one server or a cluster: for many machines, and fast. Every operation
/// is one script on one key, and goes by the server's clock.
///
/// What a server acknowledged can be lost: with `appendfsync everysec` the last second in a crash, and in a failover
/// what the promoted replica had not received. docs/reference/stores/redis.md says what to set against it.
///
/// Does not connect before it is used. The first connection, and each later one, checks the server; until it passes
/// every operation is `StoreUnavailableError` with the reason. One thread per store and, for each server, one
/// connection on which the operations of all callers are under way together. Callbacks run on that thread, or inside
/// the call. Operators' and maintenance functions open a connection of their own. Destruction answers what is
/// outstanding.
///
/// Throws `ConfigurationError` for options that cannot work.
std::shared_ptr<IdempotencyStore> redis_idempotency_store(RedisOptions options);

}  // namespace sms
