#include "transport/curl_exchange.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <utility>

namespace sms::detail {
namespace {

constexpr std::size_t max_header_bytes = 64 * 1024;

/// Every option here has a reason in docs/adr/0004-transport-rules.md.
template <class T>
void set(CURL* handle, CURLoption option, T value) {
  curl_easy_setopt(handle, option, value);
}

long in_ms(std::chrono::milliseconds duration) {
  constexpr std::chrono::milliseconds longest = std::chrono::hours(24);
  return static_cast<long>(std::clamp(duration, std::chrono::milliseconds(1), longest).count());
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view space = " \t\r\n";
  const auto first = text.find_first_not_of(space);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(space) - first + 1);
}

}  // namespace

std::string_view CurlExchange::origin() const noexcept {
  const std::string_view url = request_.url;
  const auto scheme = url.find("://");
  if (scheme == std::string_view::npos) return {};
  return url.substr(0, url.find_first_of("/?#", scheme + 3));
}

void CurlExchange::begin(EasyHandle handle, const CurlTransportOptions& options) {
  handle_ = std::move(handle);
  max_answer_ = options.max_answer_bytes;
  begun_ = std::chrono::steady_clock::now();
  prepare(options);
  gate_->started();
}

void CurlExchange::prepare(const CurlTransportOptions& options) {
  CURL* const handle = handle_.get();
  set(handle, CURLOPT_PRIVATE, static_cast<void*>(this));
  set(handle, CURLOPT_URL, request_.url.c_str());
  set(handle, CURLOPT_HTTP_VERSION, long{CURL_HTTP_VERSION_1_1});
  set(handle, CURLOPT_PROTOCOLS_STR, request_.url.starts_with("http://") ? "http" : "https");
  set(handle, CURLOPT_FOLLOWLOCATION, 0L);
  set(handle, CURLOPT_HTTP09_ALLOWED, 0L);
  set(handle, CURLOPT_NOSIGNAL, 1L);
  set(handle, CURLOPT_QUICK_EXIT, 1L);
  set(handle, CURLOPT_PROXY, options.proxy ? options.proxy->c_str() : "");
  set(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  set(handle, CURLOPT_SSLVERSION, long{CURL_SSLVERSION_TLSv1_2});
  if (options.ca_file) set(handle, CURLOPT_CAINFO, options.ca_file->c_str());
  set(handle, CURLOPT_MAXAGE_CONN, static_cast<long>(options.max_idle.count()));
  if (options_.reuse == ConnectionReuse::never) {
    set(handle, CURLOPT_FRESH_CONNECT, 1L);
    set(handle, CURLOPT_FORBID_REUSE, 1L);
  }
  set(handle, CURLOPT_CONNECTTIMEOUT_MS, in_ms(options_.timeout));
  set(handle, CURLOPT_TIMEOUT_MS, in_ms(options_.timeout + options_.keep_open));

  for (const auto& header : request_.headers) {
    header_list_.reset(curl_slist_append(header_list_.release(), (header.name + ": " + header.value).c_str()));
  }
  header_list_.reset(curl_slist_append(header_list_.release(), "Expect:"));
  set(handle, CURLOPT_HTTPHEADER, header_list_.get());

  if (request_.method != "GET") {
    set(handle, CURLOPT_POST, 1L);
    set(handle, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request_.body.size()));
    set(handle, CURLOPT_READFUNCTION, &CurlExchange::read_body);
    set(handle, CURLOPT_READDATA, static_cast<void*>(this));
    if (request_.method != "POST") set(handle, CURLOPT_CUSTOMREQUEST, request_.method.c_str());
  }
  set(handle, CURLOPT_PREREQFUNCTION, &CurlExchange::before_request);
  set(handle, CURLOPT_PREREQDATA, static_cast<void*>(this));
  set(handle, CURLOPT_WRITEFUNCTION, &CurlExchange::write_body);
  set(handle, CURLOPT_WRITEDATA, static_cast<void*>(this));
  set(handle, CURLOPT_HEADERFUNCTION, &CurlExchange::read_header);
  set(handle, CURLOPT_HEADERDATA, static_cast<void*>(this));
}

int CurlExchange::before_request(void* self, char*, char*, int, int) {
  auto& exchange = *static_cast<CurlExchange*>(self);
  if (++exchange.requests_ > 1) return CURL_PREREQFUNC_ABORT;
  return exchange.gate_->commit() ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT;
}

std::size_t CurlExchange::read_body(char* buffer, std::size_t size, std::size_t count, void* self) {
  auto& exchange = *static_cast<CurlExchange*>(self);
  const auto& body = exchange.request_.body;
  const auto part = std::min(size * count, body.size() - exchange.body_sent_);
  std::memcpy(buffer, body.data() + exchange.body_sent_, part);
  exchange.body_sent_ += part;
  return part;
}

std::size_t CurlExchange::write_body(char* data, std::size_t size, std::size_t count, void* self) {
  auto& exchange = *static_cast<CurlExchange*>(self);
  const auto length = size * count;
  if (exchange.exchange_.body.size() + length > exchange.max_answer_) return 0;
  exchange.exchange_.body.append(data, length);
  return length;
}

std::size_t CurlExchange::read_header(char* data, std::size_t size, std::size_t count, void* self) {
  auto& exchange = *static_cast<CurlExchange*>(self);
  const auto length = size * count;
  exchange.header_bytes_ += length;
  if (exchange.header_bytes_ > max_header_bytes) return 0;
  exchange.take_header_line(trim({data, length}));
  return length;
}

void CurlExchange::take_header_line(std::string_view line) {
  if (line.starts_with("HTTP/")) {
    // An interim answer (1xx) may come before the final one.
    exchange_.headers.clear();
    exchange_.status = 0;
    headers_whole_ = false;
    const auto code = line.substr(std::min(line.find(' '), line.size()));
    const auto digits = trim(code).substr(0, 3);
    std::from_chars(digits.data(), digits.data() + digits.size(), exchange_.status);
    return;
  }
  if (line.empty()) headers_whole_ = true;
  const auto colon = line.find(':');
  if (colon == std::string_view::npos) return;
  exchange_.headers.push_back({std::string(trim(line.substr(0, colon))), std::string(trim(line.substr(colon + 1)))});
}

HttpExchange CurlExchange::finish(CURLcode code) {
  // libcurl is content with an answer that ends within its headers.
  if (code == CURLE_OK && headers_whole_) return result(Evidence::answered, {});
  if (code == CURLE_OK) return result(Evidence::cut, "the answer ended within its headers");
  return result(Evidence::cut, curl_easy_strerror(code));
}

HttpExchange CurlExchange::finish(std::string failure) { return result(Evidence::cut, std::move(failure)); }

HttpExchange CurlExchange::result(Evidence with_status, std::string failure) {
  constexpr int first_final_status = 200;
  if (begun_ != std::chrono::steady_clock::time_point{}) {
    exchange_.duration = std::chrono::floor<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begun_);
  }
  if (gate_->state() != AttemptGate::State::committed) {
    exchange_.evidence = Evidence::not_sent;
  } else {
    exchange_.evidence = exchange_.status >= first_final_status ? with_status : Evidence::lost;
  }
  exchange_.failure = std::move(failure);
  return std::move(exchange_);
}

void CurlExchange::answer(HttpExchange exchange) {
  auto done = std::exchange(done_, {});
  done(std::move(exchange));
}

}  // namespace sms::detail
