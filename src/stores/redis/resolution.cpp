#include "stores/redis/resolution.hpp"

#include <netdb.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <thread>
#include <utility>

namespace sms::detail {

std::shared_ptr<Resolution> Resolution::start(const RedisEndpoint& endpoint) {
  auto resolution = std::make_shared<Resolution>();
  if (resolution->look_up(endpoint, AI_NUMERICHOST)) return resolution;
  try {
    std::thread([resolution, endpoint] {
      if (!resolution->look_up(endpoint, AI_ADDRCONFIG)) resolution->finish({});
    }).detach();
  } catch (const std::system_error&) {
    resolution->finish({});
  }
  return resolution;
}

Resolution::Resolution() : event_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

Resolution::~Resolution() {
  if (event_ >= 0) close(event_);
}

std::optional<std::vector<SocketAddress>> Resolution::addresses() const {
  const std::lock_guard lock(mutex_);
  return addresses_;
}

bool Resolution::look_up(const RedisEndpoint& endpoint, int flags) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags | AI_NUMERICSERV;
  addrinfo* list = nullptr;
  if (getaddrinfo(endpoint.host.c_str(), std::to_string(endpoint.port).c_str(), &hints, &list) != 0) return false;
  std::vector<SocketAddress> found;
  for (const addrinfo* one = list; one != nullptr; one = one->ai_next) {
    SocketAddress address;
    if (one->ai_addrlen > sizeof(address.address)) continue;
    std::memcpy(&address.address, one->ai_addr, one->ai_addrlen);
    address.size = one->ai_addrlen;
    address.family = one->ai_family;
    found.push_back(address);
  }
  freeaddrinfo(list);
  finish(std::move(found));
  return true;
}

void Resolution::finish(std::vector<SocketAddress> found) {
  const std::lock_guard lock(mutex_);
  addresses_ = std::move(found);
  eventfd_write(event_, 1);
}

}  // namespace sms::detail
