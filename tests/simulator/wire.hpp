#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sms::tests {

/// How a connection is after something was read from it.
enum class WireEnd { open, fin, rst };

struct Reply {
  int status = 0;                                   ///< 0: no whole head came.
  std::map<std::string, std::string> headers = {};  ///< Names in lower case.
  std::string body = {};
  bool whole = false;  ///< As many bytes as Content-Length says.
  WireEnd end = WireEnd::open;
};

/// A TCP connection to this machine that shows what happens on the wire.
class Wire {
 public:
  explicit Wire(std::uint16_t port);
  Wire(const Wire&) = delete;
  Wire& operator=(const Wire&) = delete;
  ~Wire();

  /// False when the connection was refused.
  bool connected() const noexcept { return connected_; }
  void send(std::string_view text);
  /// Reads one answer, or until the connection ends or the time is over.
  Reply read(std::chrono::milliseconds limit = std::chrono::seconds(5));
  Reply exchange(std::string_view text) {
    send(text);
    return read();
  }
  /// Waits for the end of the connection, at most that long.
  WireEnd read_end(std::chrono::milliseconds limit = std::chrono::seconds(5));

 private:
  /// One read into `buffer_`; false when the connection ended or the time is over.
  bool fill(std::chrono::steady_clock::time_point deadline);

  int socket_ = -1;
  bool connected_ = false;
  WireEnd end_ = WireEnd::open;
  std::string buffer_;
};

/// The text of a request, with Content-Length.
std::string http_request(const std::string& method, const std::string& target, const std::vector<std::string>& headers,
                         const std::string& body = "");

}  // namespace sms::tests
