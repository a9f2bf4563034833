#pragma once

#include "stores/redis/node.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sms::detail {

/// A connection of an operator's call, which waits for its answers: a long list keeps no send waiting. For one thread.
/// Throws `StoreUnavailableError`.
class RedisSession {
 public:
  /// Connects and checks the server. `any_store`: does not insist on the store that it was before.
  RedisSession(std::shared_ptr<RedisShared> shared, const char* operation, bool any_store = false);
  ~RedisSession();

  const RedisFacts& facts() const noexcept { return facts_; }
  /// What there is to say about the server, or that it cannot be reached.
  static std::vector<StoreFinding> examine(const std::shared_ptr<RedisShared>& shared);

  /// Executes the commands on the server that keeps `name`, pipelined. Errors are answers.
  std::vector<RespValue> execute(const std::string& name, const std::vector<RedisCommand>& commands);
  /// A script on KEYS[1] = `name` (and perhaps a second key); throws for errors.
  RespValue run(const RedisScript& script, const std::vector<std::string>& keys,
                const std::vector<std::string>& arguments, const std::string& nonce);
  /// Names that match, of all servers, each once.
  void scan(const std::string& pattern, const std::function<void(std::vector<std::string>)>& found);
  WallTime now();

 private:
  struct Link {
    RedisConnection connection;
  };
  explicit RedisSession(std::shared_ptr<RedisShared> shared) : shared_(std::move(shared)), operation_("examine") {}
  RedisFacts look();
  std::optional<std::string> join(bool any_store);
  Link& link(const RedisEndpoint& endpoint);
  Link& link_of(const std::string& name);
  std::vector<RespValue> exchange(Link& link, const std::vector<RedisCommand>& commands);
  std::vector<RedisEndpoint> primaries() const;
  [[noreturn]] void fail(const std::string& reason) const;

  std::shared_ptr<RedisShared> shared_;
  const char* operation_;
  RedisFacts facts_;
  std::map<RedisEndpoint, std::unique_ptr<Link>> links_;
};

}  // namespace sms::detail
