#pragma once

#include <sms/transport.hpp>

#include "transport/curl_exchange.hpp"

#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

namespace sms::detail {

/// The I/O thread of the transport: one libcurl multi handle on epoll, and the queue in front of it. `run` is the
/// thread; `submit` and `stop` come from anywhere.
class CurlLoop : public std::enable_shared_from_this<CurlLoop> {
 public:
  explicit CurlLoop(CurlTransportOptions options);
  CurlLoop(const CurlLoop&) = delete;
  CurlLoop& operator=(const CurlLoop&) = delete;
  ~CurlLoop();

  /// False when the loop has stopped: the exchange is untouched.
  bool submit(std::shared_ptr<CurlExchange> exchange);
  void stop();
  void run();

 private:
  using Exchange = std::shared_ptr<CurlExchange>;

  /// Exchanges with one origin: how many run, and which wait for a slot.
  struct Origin {
    std::size_t running = 0;
    std::deque<Exchange> waiting;
  };
  enum class Kind { begin, release };
  struct Message {
    Kind kind;
    Exchange exchange;
  };

  bool post(Message message);
  void take_messages();
  void admit(Exchange exchange);
  void start(Exchange exchange, Origin& origin);
  void start_waiting();
  void release(const Exchange& exchange);
  void end(const Exchange& exchange, HttpExchange result);
  void collect_ended();
  void end_all();

  int wait_limit() const;
  static int on_socket(CURL*, curl_socket_t socket, int what, void* self, void* known);
  static int on_timer(CURLM*, long timeout_ms, void* self);

  struct MultiDeleter {
    void operator()(CURLM* multi) const noexcept { curl_multi_cleanup(multi); }
  };

  CurlTransportOptions options_;
  int epoll_ = -1;
  int wake_ = -1;
  std::unique_ptr<CURLM, MultiDeleter> multi_;
  std::optional<std::chrono::steady_clock::time_point> timer_;

  std::map<std::string, Origin, std::less<>> origins_;
  std::unordered_set<Exchange> running_;
  std::vector<EasyHandle> spare_handles_;
  std::size_t waiting_ = 0;
  bool closing_ = false;

  std::mutex mutex_;
  std::vector<Message> inbox_;
  bool stopped_ = false;
};

}  // namespace sms::detail
