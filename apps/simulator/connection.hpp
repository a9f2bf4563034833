#pragma once

#include "simulator/exchange.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>

#include <chrono>
#include <optional>
#include <string>

namespace sms::simulator {

/// One HTTP connection, blocking.
class Connection {
 public:
  Connection(boost::asio::ip::tcp::socket& socket, int number) : socket_(socket), number_(number) {}

  /// Whether bytes of another request are here already.
  bool has_input() const { return buffer_.size() > 0; }
  /// Whether a request has been read before.
  bool reused() const { return requests_ > 0; }
  /// The beginning of the next request, which stays unread.
  std::string peek();
  /// The next request, or nothing when the connection has ended or has sent no HTTP.
  std::optional<Request> read();
  /// False when nothing more can come over the connection.
  bool write(const Answer& answer);
  /// All of the head, and half of the body.
  void write_half(const Answer& answer);
  bool write_slowly(const Answer& answer, std::chrono::milliseconds pause);
  /// Waits until the client closes.
  void wait_for_end();
  /// Lets the connection end by FIN, or by RST as soon as its owner closes the socket.
  void end(bool reset);

 private:
  std::string text_of(const Answer& answer) const;
  bool write_text(std::string_view text);

  boost::asio::ip::tcp::socket& socket_;
  boost::beast::flat_buffer buffer_;
  int number_;
  int requests_ = 0;
  bool keep_alive_ = true;
};

}  // namespace sms::simulator
