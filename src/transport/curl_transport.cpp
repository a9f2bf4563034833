#include <sms/error.hpp>
#include <sms/transport.hpp>

#include "transport/curl_exchange.hpp"
#include "transport/curl_loop.hpp"

#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace sms {
namespace {

class CurlTransport final : public Transport {
 public:
  explicit CurlTransport(CurlTransportOptions options)
      : loop_(std::make_shared<detail::CurlLoop>(std::move(options))) {}

  ~CurlTransport() override {
    loop_->stop();
    if (!thread_.joinable()) return;
    // The last owner may be a callback on the I/O thread itself, which ends by itself after it.
    if (thread_.get_id() == std::this_thread::get_id()) {
      thread_.detach();
    } else {
      thread_.join();
    }
  }

  void exchange(HttpRequest request, ExchangeOptions options, std::shared_ptr<AttemptGate> gate,
                Callback<HttpExchange> done) override {
    std::call_once(started_, [this] { thread_ = std::thread([loop = loop_] { loop->run(); }); });
    auto exchange =
        std::make_shared<detail::CurlExchange>(std::move(request), options, std::move(gate), std::move(done));
    if (!loop_->submit(exchange)) exchange->answer(exchange->finish("the transport was closed"));
  }

 private:
  std::shared_ptr<detail::CurlLoop> loop_;
  std::once_flag started_;
  std::thread thread_;
};

}  // namespace

std::shared_ptr<Transport> curl_transport(CurlTransportOptions options) {
  if (options.max_connections == 0 || options.max_connections_per_host == 0) {
    throw ConfigurationError("max_connections and max_connections_per_host must be at least 1");
  }
  return std::make_shared<CurlTransport>(std::move(options));
}

}  // namespace sms
