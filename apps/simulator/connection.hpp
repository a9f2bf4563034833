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

  /// Waits until something can be read; false when the client has gone.
  bool wait_readable();
  /// The next request, or nothing when the connection has ended.
  std::optional<Request> read();
  bool write(const Answer& answer, bool keep_alive = true);
  /// The first half of an answer.
  void write_half(const Answer& answer);
  void write_slowly(const Answer& answer, std::chrono::milliseconds pause);
  /// Waits until the client closes.
  void wait_for_end();
  /// Closes by FIN, or by RST.
  void close(bool reset);

 private:
  std::string text_of(const Answer& answer, bool keep_alive) const;

  boost::asio::ip::tcp::socket& socket_;
  boost::beast::flat_buffer buffer_;
  int number_;
  int requests_ = 0;
};

}  // namespace sms::simulator
