#pragma once

#include "stores/redis/resolution.hpp"
#include "stores/redis/resp.hpp"
#include "stores/redis/tls.hpp"

#include <poll.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sms::detail {

/// One connection to a server, which never blocks and never raises SIGPIPE. For one thread at a time. Its functions
/// throw `RedisLinkFailure` when it is over.
class RedisConnection {
 public:
  /// `tls` may be null. Of several addresses of a name the one after `first_address` others is tried first.
  RedisConnection(RedisEndpoint endpoint, const RedisTls* tls, std::size_t first_address);
  RedisConnection(const RedisConnection&) = delete;
  RedisConnection& operator=(const RedisConnection&) = delete;
  ~RedisConnection();

  /// What to poll for.
  pollfd wanted() const noexcept;
  /// Goes on after a poll.
  void proceed();
  bool is_open() const noexcept { return stage_ == Stage::open; }

  /// Where commands are appended to; `flush` sends them.
  std::string& outbox() noexcept { return plain_out_; }
  void flush();
  std::optional<RespValue> next() { return reader_.next(); }

 private:
  enum class Stage { resolving, connecting, handshaking, open };
  void connect_next();
  void finish_connecting();
  void shake_hands();
  void receive();
  void transmit();
  void close_socket() noexcept;

  RedisEndpoint endpoint_;
  std::unique_ptr<TlsChannel> channel_;
  std::shared_ptr<Resolution> resolution_;
  std::vector<SocketAddress> addresses_;
  std::size_t first_address_;
  std::size_t tried_ = 0;
  Stage stage_ = Stage::resolving;
  int socket_ = -1;
  std::string plain_out_, wire_out_, plain_in_;
  std::size_t sent_ = 0;
  RespReader reader_;
};

}  // namespace sms::detail
