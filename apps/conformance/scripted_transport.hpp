#pragma once

#include <sms/clock.hpp>
#include <sms/transport.hpp>

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace sms::conformance {

/// A transport that answers at once with what a function makes of the request; none: the request hangs.
class ScriptedTransport : public Transport {
 public:
  using Script = std::function<std::optional<HttpExchange>(const HttpRequest&)>;
  explicit ScriptedTransport(Script script) : script_(std::move(script)) {}

  void exchange(HttpRequest request, ExchangeOptions options, std::shared_ptr<AttemptGate> gate,
                Callback<HttpExchange> done) override;

  /// What was asked so far.
  std::vector<HttpRequest> requests() const;

 private:
  Script script_;
  mutable std::mutex mutex_;
  std::vector<HttpRequest> requests_;
};

HttpExchange answered(int status, std::vector<Header> headers, std::string body);
HttpExchange lost();

/// Answers every request so that each provider's adapter accepts.
std::shared_ptr<ScriptedTransport> accepting_transport();

/// Stands still for the wall, and lets waits pass 20 times as fast.
std::shared_ptr<Clock> recorded_clock(WallTime now);

}  // namespace sms::conformance
