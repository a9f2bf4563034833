#include <sms/client.hpp>
#include <sms/error.hpp>

#include "core/client_options.hpp"
#include "core/engine.hpp"

#include <chrono>
#include <future>
#include <memory>
#include <utility>

namespace sms {
namespace {

constexpr std::chrono::seconds destruction_bound{3};

}  // namespace

Client::Client(ClientOptions options, TransportFactory default_transport) {
  options = detail::checked(std::move(options));
  if (!options.transport && default_transport != nullptr) options.transport = default_transport();
  engine_ = std::make_shared<detail::Engine>(std::move(options));
}

Client::Client(Client&&) noexcept = default;

Client& Client::operator=(Client&& other) noexcept {
  std::swap(engine_, other.engine_);
  return *this;
}

Client::~Client() {
  if (!engine_) return;
  if (engine_->at_home()) {
    engine_->shut(std::chrono::steady_clock::now() + destruction_bound);
  } else {
    // In a forked child its sends belong to the parent, and joining its threads would wait for ever.
    static_cast<void>(new std::shared_ptr<detail::Engine>(std::move(engine_)));
  }
}

SendOutcome Client::try_send(const SendInput& input, const SendOptions& options) {
  const auto promise = std::make_shared<std::promise<SendOutcome>>();
  auto outcome = promise->get_future();
  engine_->begin(std::make_shared<const SendInput>(input), options,
                 [promise](SendOutcome answer) { promise->set_value(std::move(answer)); });
  return outcome.get();
}

SendResult Client::send(const SendInput& input, const SendOptions& options) {
  auto outcome = try_send(input, options);
  if (!outcome && outcome.error().code() == ErrorCode::policy_rejected && outcome.error().cause()) {
    std::rethrow_exception(outcome.error().cause());
  }
  return std::move(outcome).value();
}

void Client::async_send(SendInput input, SendOptions options, UniqueFunction<void(SendOutcome)> done) {
  engine_->begin(std::make_shared<const SendInput>(std::move(input)), options, std::move(done));
}

ValidationResult Client::validate(const SendInput& input) const { return engine_->validate(input); }

AdapterList Client::capabilities() const {
  AdapterList list;
  for (const auto& adapter : engine_->options().adapters) list.push_back(adapter->info());
  return list;
}

SettleResult Client::settle(const std::string& key, const SendResult& result) { return engine_->settle(key, result); }

CloseReport Client::close(std::chrono::steady_clock::time_point deadline) { return engine_->close(deadline); }

ClientCounters Client::counters() const { return engine_->counters(); }

}  // namespace sms
