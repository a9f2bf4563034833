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

std::string Connection::peek() {
  if (has_input()) return {static_cast<const char*>(buffer_.data().data()), buffer_.size()};
  std::string bytes(64, '\0');
  boost::system::error_code error;
  bytes.resize(socket_.receive(asio::buffer(bytes), asio::socket_base::message_peek, error));
  return bytes;
}

std::optional<Request> Connection::read() {
  http::request_parser<http::string_body> parser;
  parser.body_limit(16 * 1024 * 1024);
  boost::system::error_code error;
  http::read_header(socket_, buffer_, parser, error);
  if (!error && boost::beast::iequals(parser.get()[http::field::expect], "100-continue")) {
    write_text("HTTP/1.1 100 Continue\r\n\r\n");
  }
  if (!error) http::read(socket_, buffer_, parser, error);
  if (error) {
    const bool gone = error == http::error::end_of_stream || error == http::error::partial_message;
    if (!gone && error.category() == make_error_code(http::error::bad_method).category()) {
      keep_alive_ = false;
      write({400, R"({"error":"this is no HTTP request"})"});
    }
    return std::nullopt;
  }
  keep_alive_ = parser.get().keep_alive();
  auto message = parser.release();
  Request request;
  request.method = std::string(message.method_string());
  const std::string target(message.target());
  const auto question = target.find('?');
  request.path = target.substr(0, question);
  if (question != std::string::npos) request.query = Form(std::string_view(target).substr(question + 1));
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

std::string Connection::text_of(const Answer& answer) const {
  std::string text = "HTTP/1.1 " + std::to_string(answer.status) + " " +
                     std::string(http::obsolete_reason(http::int_to_status(static_cast<unsigned>(answer.status)))) +
                     "\r\n";
  for (const auto& [name, value] : answer.headers) text += name + ": " + value + "\r\n";
  if (!answer.body.empty()) text += "Content-Type: " + answer.content_type + "\r\n";
  text += "Content-Length: " + std::to_string(answer.body.size()) + "\r\n";
  text += keep_alive_ ? "\r\n" : "Connection: close\r\n\r\n";
  return text + answer.body;
}

bool Connection::write_text(std::string_view text) {
  boost::system::error_code error;
  asio::write(socket_, asio::buffer(text), error);
  return !error;
}

bool Connection::write(const Answer& answer) { return write_text(text_of(answer)) && keep_alive_; }

void Connection::write_half(const Answer& answer) {
  const auto text = text_of(answer);
  write_text(std::string_view(text).substr(0, text.size() - (answer.body.size() + 1) / 2));
}

bool Connection::write_slowly(const Answer& answer, std::chrono::milliseconds pause) {
  for (const char byte : text_of(answer)) {
    if (!write_text({&byte, 1})) return false;
    std::this_thread::sleep_for(pause);
  }
  return keep_alive_;
}

void Connection::wait_for_end() {
  char byte = 0;
  boost::system::error_code error;
  while (!error) socket_.read_some(asio::buffer(&byte, 1), error);
}

void Connection::end(bool reset) {
  boost::system::error_code error;
  if (reset) socket_.set_option(asio::socket_base::linger(true, 0), error);
  if (!reset) socket_.shutdown(asio::ip::tcp::socket::shutdown_both, error);
}

}  // namespace sms::simulator
