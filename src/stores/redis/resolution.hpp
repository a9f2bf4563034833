#pragma once

#include "stores/redis/options.hpp"

#include <sys/socket.h>

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace sms::detail {

struct SocketAddress {
  sockaddr_storage address{};
  socklen_t size = 0;
  int family = 0;
};

/// A name being looked up on a thread of its own, which may outlast whoever asked: getaddrinfo knows no deadline.
class Resolution {
 public:
  /// Starts; a numeric address is there at once.
  static std::shared_ptr<Resolution> start(const RedisEndpoint& endpoint);
  Resolution();
  Resolution(const Resolution&) = delete;
  Resolution& operator=(const Resolution&) = delete;
  ~Resolution();

  /// Readable when the addresses are there.
  int event() const noexcept { return event_; }
  /// Absent while it lasts; empty where there is no address.
  std::optional<std::vector<SocketAddress>> addresses() const;

 private:
  bool look_up(const RedisEndpoint& endpoint, int flags);
  void finish(std::vector<SocketAddress> found);

  int event_;
  mutable std::mutex mutex_;
  std::optional<std::vector<SocketAddress>> addresses_;
};

}  // namespace sms::detail
