#pragma once

#include <sms/transport.hpp>

#include <curl/curl.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace sms::detail {

struct EasyDeleter {
  void operator()(CURL* handle) const noexcept { curl_easy_cleanup(handle); }
};
using EasyHandle = std::unique_ptr<CURL, EasyDeleter>;

/// One request on its way through libcurl. Lives on the I/O thread; only the gate is touched from elsewhere.
///
/// Two guards, each enough alone, keep libcurl from sending the request again on another connection: the callback
/// before the request refuses its second call, and the body cannot be rewound.
class CurlExchange : public std::enable_shared_from_this<CurlExchange> {
 public:
  CurlExchange(HttpRequest request, ExchangeOptions options, std::shared_ptr<AttemptGate> gate,
               Callback<HttpExchange> done)
      : request_(std::move(request)), options_(options), gate_(std::move(gate)), done_(std::move(done)) {}

  AttemptGate& gate() noexcept { return *gate_; }
  /// `scheme://host:port` as written: exchanges with one origin share its limit. Empty when the URL has none.
  std::string_view origin() const noexcept;

  /// Begins the attempt and fills in the handle.
  void begin(EasyHandle handle, const CurlTransportOptions& options);
  CURL* handle() const noexcept { return handle_.get(); }
  EasyHandle take_handle() noexcept { return std::move(handle_); }

  /// What became of it, given why libcurl ended it.
  HttpExchange finish(CURLcode code);
  /// What became of it when it was ended from outside, or never began.
  HttpExchange finish(std::string failure);
  /// Gives the answer away; once.
  void answer(HttpExchange exchange);

 private:
  static int before_request(void* self, char*, char*, int, int);
  static std::size_t read_body(char* buffer, std::size_t size, std::size_t count, void* self);
  static std::size_t write_body(char* data, std::size_t size, std::size_t count, void* self);
  static std::size_t read_header(char* data, std::size_t size, std::size_t count, void* self);

  void take_header_line(std::string_view line);
  void prepare(const CurlTransportOptions& options);
  HttpExchange result(Evidence with_status, std::string failure);

  struct ListDeleter {
    void operator()(curl_slist* list) const noexcept { curl_slist_free_all(list); }
  };

  HttpRequest request_;
  ExchangeOptions options_;
  std::shared_ptr<AttemptGate> gate_;
  Callback<HttpExchange> done_;

  EasyHandle handle_;
  std::unique_ptr<curl_slist, ListDeleter> header_list_;
  std::chrono::steady_clock::time_point begun_{};
  std::size_t max_answer_ = 0;
  std::size_t header_bytes_ = 0;
  std::size_t body_sent_ = 0;
  int requests_ = 0;
  bool headers_whole_ = false;
  HttpExchange exchange_;
};

}  // namespace sms::detail
