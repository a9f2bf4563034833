#include "simulator/wire.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <stdexcept>

namespace sms::tests {

using Clock = std::chrono::steady_clock;

Wire::Wire(std::uint16_t port) : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  connected_ = connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  if (!connected_ && errno != ECONNREFUSED) throw std::runtime_error("connect");
}

Wire::~Wire() { close(socket_); }

void Wire::send(std::string_view text) {
  while (!text.empty()) {
    const auto sent = ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent < 0) return;
    text.remove_prefix(static_cast<std::size_t>(sent));
  }
}

bool Wire::fill(Clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
  pollfd entry{socket_, POLLIN, 0};
  if (left <= 0 || poll(&entry, 1, static_cast<int>(left)) <= 0) return false;
  char part[4096];
  const auto got = recv(socket_, part, sizeof part, 0);
  if (got > 0) {
    buffer_.append(part, static_cast<std::size_t>(got));
    return true;
  }
  end_ = got == 0 ? WireEnd::fin : WireEnd::rst;
  return false;
}

Reply Wire::read(std::chrono::milliseconds limit) {
  const auto deadline = Clock::now() + limit;
  Reply reply;
  std::size_t head = 0;
  while ((head = buffer_.find("\r\n\r\n")) == std::string::npos) {
    if (!fill(deadline)) {
      reply.end = end_;
      return reply;
    }
  }
  reply.status = std::stoi(buffer_.substr(9, 3));
  std::size_t at = buffer_.find("\r\n") + 2;
  while (at < head + 2) {
    const auto end = buffer_.find("\r\n", at);
    const auto colon = buffer_.find(": ", at);
    auto name = buffer_.substr(at, colon - at);
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    reply.headers[name] = buffer_.substr(colon + 2, end - colon - 2);
    at = end + 2;
  }
  const auto length = reply.status < 200 ? 0 : std::stoul(reply.headers.at("content-length"));
  while (buffer_.size() < head + 4 + length && fill(deadline)) continue;
  reply.body = buffer_.substr(head + 4, length);
  reply.whole = reply.body.size() == length;
  buffer_.erase(0, head + 4 + reply.body.size());
  reply.end = end_;
  return reply;
}

WireEnd Wire::read_end(std::chrono::milliseconds limit) {
  const auto deadline = Clock::now() + limit;
  while (fill(deadline)) continue;
  return end_;
}

std::string http_request(const std::string& method, const std::string& target, const std::vector<std::string>& headers,
                         const std::string& body) {
  auto text = method + " " + target + " HTTP/1.1\r\nHost: 127.0.0.1\r\n";
  for (const auto& header : headers) text += header + "\r\n";
  return text + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

}  // namespace sms::tests
