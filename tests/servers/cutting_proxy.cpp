#include "servers/cutting_proxy.hpp"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <stdexcept>
#include <utility>
#include <vector>

namespace sms::tests {
namespace {

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  return address;
}

}  // namespace

CuttingProxy::CuttingProxy(std::uint16_t server_port)
    : server_port_(server_port),
      listener_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)),
      wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  auto address = loopback(0);
  socklen_t size = sizeof(address);
  if (bind(listener_, reinterpret_cast<const sockaddr*>(&address), size) != 0 || listen(listener_, SOMAXCONN) != 0 ||
      getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    throw std::runtime_error("the proxy cannot listen");
  }
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { run(); });
}

CuttingProxy::~CuttingProxy() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  wake();
  thread_.join();
  for (const auto& pair : pairs_) {
    close(pair.client);
    close(pair.server);
  }
  close(listener_);
  close(wake_);
}

void CuttingProxy::cut() {
  std::unique_lock lock(mutex_);
  cut_ = true;
  wake();
  dropped_.wait(lock, [this] { return !cut_; });
}

void CuttingProxy::redirect(std::uint16_t server_port) {
  {
    const std::lock_guard lock(mutex_);
    server_port_ = server_port;
  }
  cut();
}

void CuttingProxy::drop_next_reply() {
  const std::lock_guard lock(mutex_);
  drop_ = true;
}

void CuttingProxy::replace_once(std::string said, std::string heard) {
  const std::lock_guard lock(mutex_);
  said_ = std::move(said);
  heard_ = std::move(heard);
}

void CuttingProxy::wait_until_dropped() {
  std::unique_lock lock(mutex_);
  dropped_.wait(lock, [this] { return !drop_; });
}

void CuttingProxy::hang() {
  const std::lock_guard lock(mutex_);
  hang_requests_ = hang_replies_ = true;
  wake();
}

void CuttingProxy::hang_replies() {
  const std::lock_guard lock(mutex_);
  hang_replies_ = true;
  wake();
}

void CuttingProxy::pass() {
  const std::lock_guard lock(mutex_);
  hang_requests_ = hang_replies_ = false;
  wake();
}

int CuttingProxy::connections() const {
  const std::lock_guard lock(mutex_);
  return connections_;
}

void CuttingProxy::wake() const { eventfd_write(wake_, 1); }

void CuttingProxy::run() {
  for (;;) {
    std::vector<pollfd> polled{{wake_, POLLIN, 0}, {listener_, POLLIN, 0}};
    std::vector<Pair*> order;
    {
      const std::lock_guard lock(mutex_);
      if (stopped_) return;
      for (auto& pair : pairs_) {
        const auto events = [](bool read, bool write) {
          return static_cast<short>((read ? POLLIN : 0) | (write ? POLLOUT : 0));
        };
        polled.push_back({pair.client, events(!hang_requests_, !pair.to_client.empty()), 0});
        polled.push_back({pair.server, events(!hang_replies_, !pair.to_server.empty()), 0});
        order.push_back(&pair);
      }
    }
    poll(polled.data(), polled.size(), -1);
    eventfd_t ignored = 0;
    eventfd_read(wake_, &ignored);
    for (std::size_t i = 0; i < order.size(); ++i) {
      auto& pair = *order[i];
      const auto& client = polled[2 + 2 * i];
      const auto& server = polled[3 + 2 * i];
      if ((client.events & POLLIN) != 0 && client.revents != 0) read_side(pair, false);
      if ((server.events & POLLIN) != 0 && server.revents != 0) read_side(pair, true);
      write_side(pair.server, pair.to_server);
      write_side(pair.client, pair.to_client);
    }
    if (polled[1].revents != 0) accept_one();
    const std::lock_guard lock(mutex_);
    std::erase_if(pairs_, [this](const Pair& pair) {
      if (!cut_ && !pair.ended) return false;
      close(pair.client);
      close(pair.server);
      return true;
    });
    if (cut_) {
      cut_ = false;
      dropped_.notify_all();
    }
  }
}

void CuttingProxy::accept_one() {
  const int client = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
  if (client < 0) return;
  const int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  std::unique_lock lock(mutex_);
  const auto address = loopback(server_port_);
  lock.unlock();
  if (connect(server, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) {
    close(client);
    close(server);
    return;
  }
  lock.lock();
  ++connections_;
  pairs_.push_back({client, server});
}

void CuttingProxy::read_side(Pair& pair, bool from_server) {
  std::array<char, 64 * 1024> buffer{};
  const std::lock_guard lock(mutex_);
  // As it is now, not as it was when the poll began.
  if (from_server ? hang_replies_ : hang_requests_) return;
  const auto size = recv(from_server ? pair.server : pair.client, buffer.data(), buffer.size(), MSG_DONTWAIT);
  if (size <= 0) {
    pair.ended = true;
    return;
  }
  if (from_server && drop_) {
    drop_ = false;
    pair.ended = true;
    dropped_.notify_all();
    return;
  }
  std::string bytes(buffer.data(), static_cast<std::size_t>(size));
  if (const auto at = from_server && !said_.empty() ? bytes.find(said_) : std::string::npos; at != std::string::npos) {
    bytes.replace(at, said_.size(), heard_);
    said_.clear();
  }
  (from_server ? pair.to_client : pair.to_server) += bytes;
}

void CuttingProxy::write_side(int to, std::string& bytes) {
  const auto size = bytes.empty() ? 0 : send(to, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (size > 0) bytes.erase(0, static_cast<std::size_t>(size));
}

}  // namespace sms::tests
