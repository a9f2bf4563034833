#pragma once

#include <sms/attempt_gate.hpp>
#include <sms/clock.hpp>
#include <sms/expected.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sms {

struct Header {
  std::string name;
  std::string value;
  bool operator==(const Header&) const = default;
};

struct HttpRequest {
  std::string method = "POST";
  std::string url;
  std::vector<Header> headers;
  std::string body;
  bool operator==(const HttpRequest&) const = default;
};

/// What is known to have happened to a request. Only `not_sent` is proof that the provider cannot have seen it.
enum class Evidence {
  not_sent,  ///< Not one byte was handed to the connection: the gate was never committed.
  lost,      ///< Committed, and no usable status came back.
  cut,       ///< A status came, but the answer did not arrive whole.
  answered   ///< A whole answer.
};

/// One request and what became of it.
struct HttpExchange {
  Evidence evidence = Evidence::not_sent;
  int status = 0;  ///< 0 when none was read.
  std::vector<Header> headers;
  std::string body;     ///< Capped by the transport.
  std::string failure;  ///< Why there is no whole answer, for people: no URL, no credential, no body.
  std::chrono::milliseconds duration{0};
  WallTime at{};  ///< When the exchange ended; set by the adapter, for Retry-After dates.

  /// The first header of that name (letter case does not matter), or null.
  const std::string* header(std::string_view name) const noexcept;
};

enum class ConnectionReuse {
  normal,  ///< Idle connections are kept and used again.
  never    ///< A fresh connection for each request.
};

struct ExchangeOptions {
  std::chrono::milliseconds timeout{10'000};  ///< From `gate.started()`: until the whole answer is expected.
  std::chrono::milliseconds keep_open{0};     ///< How much longer a committed exchange is kept for a late answer.
  ConnectionReuse reuse = ConnectionReuse::normal;
};

/// Port: makes one HTTP exchange and says what left the machine.
///
/// A transport calls `gate->started()` when it begins, `gate->commit()` just before the first byte of the request would
/// leave (and lets nothing leave when it answers false), and never sends a request a second time, whatever happens to
/// the connection. It follows no redirect. It answers exactly once; it ends an exchange soon after its gate is
/// released.
///
/// All members are safe from any thread.
class Transport {
 public:
  virtual ~Transport() = default;
  virtual void exchange(HttpRequest request, ExchangeOptions options, std::shared_ptr<AttemptGate> gate,
                        Callback<HttpExchange> done) = 0;
};

struct CurlTransportOptions {
  std::size_t max_connections = 256;          ///< Exchanges under way at once; more wait in a queue of ours.
  std::size_t max_connections_per_host = 64;  ///< The same per host.
  std::chrono::seconds max_idle{20};          ///< An idle connection older than this is not used again.
  std::optional<std::string> proxy = {};      ///< URL of a proxy. Proxy variables of the environment are ignored.
  std::optional<std::string> ca_file = {};    ///< PEM file of trusted certificates instead of the system's.
  std::size_t max_answer_bytes = 1 << 20;     ///< A longer answer counts as cut.
};

/// The transport on libcurl: one I/O thread, HTTP/1.1, TLS 1.2 or later.
///
/// Exchanges still under way when it is destroyed are answered as `not_sent` or `lost`.
std::shared_ptr<Transport> curl_transport(CurlTransportOptions options = {});

}  // namespace sms
