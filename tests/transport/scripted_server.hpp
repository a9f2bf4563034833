#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace sms::tests {

/// A request that arrived whole.
struct SeenRequest {
  int connection = 0;     ///< From 1.
  int on_connection = 0;  ///< From 1: a later one came on a reused connection.
  std::string head;
  std::string body;
};

/// What the server does with it.
struct Reaction {
  enum class End {
    keep_alive,
    fin,           ///< TCP FIN; under TLS without close_notify.
    close_notify,  ///< Under TLS.
    rst,
    hang  ///< Says nothing more until the server goes.
  };
  std::string answer;
  End end = End::keep_alive;
  std::chrono::milliseconds delay{0};       ///< Before the answer.
  std::chrono::milliseconds byte_pause{0};  ///< Between the bytes of the answer.
};

std::string http_answer(int status, const std::string& body, const std::string& more_headers = "");

/// The judge of the transport: a real server that counts every complete request, whatever it answers. One thread per
/// connection.
class ScriptedServer {
 public:
  enum class Mode {
    http,
    https,
    silent,       ///< Accepts and never says a word, not even in a TLS handshake.
    garbage,      ///< Answers the first byte with noise.
    half_headers  ///< Closes while the request is arriving.
  };
  using Script = std::function<Reaction(const SeenRequest&)>;

  explicit ScriptedServer(Mode mode, Script script = {});
  ~ScriptedServer();

  std::string url(const std::string& path = "/sms") const;
  std::uint16_t port() const noexcept { return port_; }
  /// PEM file with the certificate of an https server.
  const std::string& ca_file() const noexcept { return ca_file_; }

  int complete_requests() const noexcept { return complete_; }
  int connections() const noexcept { return connections_; }
  /// Bytes of requests that arrived (inside TLS: decrypted ones).
  std::size_t request_bytes() const noexcept { return bytes_; }
  std::vector<SeenRequest> seen() const;
  /// Whether `seen` keeps the requests from now on: not for servers that run long.
  void keep_requests(bool keep) noexcept { keep_ = keep; }

 private:
  struct Tls;
  class Stream;

  void accept_loop();
  void serve(int socket, int number);
  bool read_request(Stream& stream, std::string& buffer, SeenRequest& request);

  Mode mode_;
  Script script_;
  std::unique_ptr<Tls> tls_;
  std::string ca_file_;
  int listener_ = -1;
  std::uint16_t port_ = 0;
  std::atomic<int> complete_{0};
  std::atomic<int> connections_{0};
  std::atomic<std::size_t> bytes_{0};
  std::atomic<bool> stopping_{false};
  std::atomic<bool> keep_{true};
  mutable std::mutex mutex_;
  std::vector<SeenRequest> seen_;
  std::vector<int> sockets_;
  std::list<std::thread> threads_;
  std::thread acceptor_;
};

}  // namespace sms::tests
