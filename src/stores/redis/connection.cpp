#include "stores/redis/connection.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace sms::detail {
namespace {

std::string error_text(int code) { return std::strerror(code); }  // NOLINT(concurrency-mt-unsafe): glibc's is

void set(int socket, int level, int name, int value) noexcept {
  setsockopt(socket, level, name, &value, sizeof(value));
}

}  // namespace

RedisConnection::RedisConnection(RedisEndpoint endpoint, const RedisTls* tls, std::size_t first_address)
    : endpoint_(std::move(endpoint)),
      channel_(tls == nullptr ? nullptr : std::make_unique<TlsChannel>(*tls, endpoint_.host)),
      resolution_(Resolution::start(endpoint_)),
      first_address_(first_address) {}

RedisConnection::~RedisConnection() { close_socket(); }

pollfd RedisConnection::wanted() const noexcept {
  switch (stage_) {
    case Stage::resolving:
      return {resolution_->event(), POLLIN, 0};
    case Stage::connecting:
      return {socket_, POLLOUT, 0};
    case Stage::handshaking:
    case Stage::open:
      break;
  }
  const bool more = sent_ < wire_out_.size();
  return {socket_, static_cast<short>(more ? POLLIN | POLLOUT : POLLIN), 0};
}

void RedisConnection::proceed() {
  if (stage_ == Stage::resolving) {
    auto addresses = resolution_->addresses();
    if (!addresses) return;
    if (addresses->empty()) throw RedisLinkFailure("the server's name has no address");
    addresses_ = *std::move(addresses);
    connect_next();
    return;
  }
  if (stage_ == Stage::connecting) return finish_connecting();
  receive();
  if (stage_ == Stage::handshaking) shake_hands();
  flush();
}

void RedisConnection::connect_next() {
  for (int fault = 0;;) {
    close_socket();
    if (tried_ == addresses_.size()) throw RedisLinkFailure("cannot connect: " + error_text(fault));
    const auto& to = addresses_[(first_address_ + tried_++) % addresses_.size()];
    socket_ = socket(to.family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (socket_ < 0) {
      fault = errno;
      continue;
    }
    set(socket_, IPPROTO_TCP, TCP_NODELAY, 1);
    set(socket_, SOL_SOCKET, SO_KEEPALIVE, 1);
    set(socket_, IPPROTO_TCP, TCP_KEEPIDLE, 15);
    set(socket_, IPPROTO_TCP, TCP_KEEPINTVL, 5);
    set(socket_, IPPROTO_TCP, TCP_KEEPCNT, 3);
    stage_ = Stage::connecting;
    if (connect(socket_, reinterpret_cast<const sockaddr*>(&to.address), to.size) == 0 || errno == EINPROGRESS) return;
    fault = errno;
  }
}

void RedisConnection::finish_connecting() {
  pollfd state{socket_, POLLOUT, 0};
  if (poll(&state, 1, 0) == 0) return;
  int fault = 0;
  socklen_t size = sizeof(fault);
  getsockopt(socket_, SOL_SOCKET, SO_ERROR, &fault, &size);
  if (fault != 0) {
    if (tried_ == addresses_.size()) throw RedisLinkFailure("cannot connect: " + error_text(fault));
    return connect_next();
  }
  stage_ = channel_ ? Stage::handshaking : Stage::open;
  if (channel_) shake_hands();
  flush();
}

void RedisConnection::shake_hands() {
  if (channel_->shake_hands()) stage_ = Stage::open;
  channel_->give_encrypted(wire_out_);
  transmit();
}

void RedisConnection::receive() {
  std::array<char, 64 * 1024> buffer;
  for (;;) {
    const auto size = recv(socket_, buffer.data(), buffer.size(), 0);
    if (size == 0) throw RedisLinkFailure("the server closed the connection");
    if (size < 0) {
      if (errno == EINTR) continue;
      if (errno == EAGAIN || errno == EWOULDBLOCK) return;
      throw RedisLinkFailure("the connection broke: " + error_text(errno));
    }
    const std::string_view bytes(buffer.data(), static_cast<std::size_t>(size));
    if (!channel_) {
      reader_.feed(bytes);
    } else {
      channel_->take_encrypted(bytes);
      if (stage_ == Stage::handshaking) shake_hands();
      if (stage_ == Stage::open) {
        plain_in_.clear();
        const bool goes_on = channel_->decrypt(plain_in_);
        reader_.feed(plain_in_);
        if (!goes_on) throw RedisLinkFailure("the server closed the connection");
      }
    }
    if (bytes.size() < buffer.size()) return;
  }
}

void RedisConnection::flush() {
  if (stage_ != Stage::open) return;
  if (channel_) {
    channel_->encrypt(plain_out_);
    channel_->give_encrypted(wire_out_);
  } else {
    wire_out_ += plain_out_;
  }
  plain_out_.clear();
  transmit();
}

void RedisConnection::transmit() {
  while (sent_ < wire_out_.size()) {
    const auto size = send(socket_, wire_out_.data() + sent_, wire_out_.size() - sent_, MSG_NOSIGNAL);
    if (size < 0) {
      if (errno == EINTR) continue;
      if (errno == EAGAIN || errno == EWOULDBLOCK) return;
      throw RedisLinkFailure("the connection broke: " + error_text(errno));
    }
    sent_ += static_cast<std::size_t>(size);
  }
  wire_out_.clear();
  sent_ = 0;
}

void RedisConnection::close_socket() noexcept {
  if (socket_ >= 0) close(socket_);
  socket_ = -1;
}

}  // namespace sms::detail
