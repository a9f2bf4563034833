#include "simulator/connection.hpp"

#include <boost/asio/write.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>

#include <algorithm>
#include <cctype>
#include <thread>

namespace sms::simulator {

namespace asio = boost::asio;
namespace http = boost::beast::http;

bool Connection::wait_readable() {
  if (buffer_.size() > 0) return true;
  boost::system::error_code error;
  socket_.wait(asio::ip::tcp::socket::wait_read, error);
  return !error && socket_.available(error) > 0 && !error;
}

std::optional<Request> Connection::read() {
  http::request_parser<http::string_body> parser;
  parser.body_limit(16 * 1024 * 1024);
  boost::system::error_code error;
  http::read(socket_, buffer_, parser, error);
  if (error) return std::nullopt;
  auto message = parser.release();
  Request request;
  request.method = std::string(message.method_string());
  const std::string target(message.target());
  const auto question = target.find('?');
  request.path = target.substr(0, question);
  if (question != std::string::npos) request.query = target.substr(question + 1);
  for (const auto& field : message) {
    std::string name(field.name_string());
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    request.headers[name] = std::string(field.value());
  }
  request.body = std::move(message.body());
  request.connection = number_;
  request.on_connection = ++requests_;
  return request;
}

std::string Connection::text_of(const Answer& answer, bool keep_alive) const {
  std::string text = "HTTP/1.1 " + std::to_string(answer.status) + " " +
                     std::string(http::obsolete_reason(http::int_to_status(static_cast<unsigned>(answer.status)))) +
                     "\r\n";
  for (const auto& [name, value] : answer.headers) text += name + ": " + value + "\r\n";
  text += "Content-Type: " + answer.content_type + "\r\nContent-Length: " + std::to_string(answer.body.size()) + "\r\n";
  text += keep_alive ? "\r\n" : "Connection: close\r\n\r\n";
  return text + answer.body;
}

bool Connection::write(const Answer& answer, bool keep_alive) {
  boost::system::error_code error;
  asio::write(socket_, asio::buffer(text_of(answer, keep_alive)), error);
  return !error;
}

void Connection::write_half(const Answer& answer) {
  const auto text = text_of(answer, true);
  boost::system::error_code error;
  asio::write(socket_, asio::buffer(text.data(), text.size() - answer.body.size() / 2), error);
}

void Connection::write_slowly(const Answer& answer, std::chrono::milliseconds pause) {
  boost::system::error_code error;
  for (const char byte : text_of(answer, true)) {
    asio::write(socket_, asio::buffer(&byte, 1), error);
    if (error) return;
    std::this_thread::sleep_for(pause);
  }
}

void Connection::wait_for_end() {
  char byte = 0;
  boost::system::error_code error;
  while (!error) socket_.read_some(asio::buffer(&byte, 1), error);
}

void Connection::close(bool reset) {
  boost::system::error_code error;
  if (reset) socket_.set_option(asio::socket_base::linger(true, 0), error);
  if (!reset) socket_.shutdown(asio::ip::tcp::socket::shutdown_both, error);
  socket_.close(error);
}

}  // namespace sms::simulator
