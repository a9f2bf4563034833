#include "client_options.hpp"

#include <sms/error.hpp>
#include <sms/stores/open.hpp>

namespace sms::cli {

namespace {

struct AdapterMaker {
  std::shared_ptr<Adapter> operator()(const TwilioOptions& options) const { return twilio(options); }
  std::shared_ptr<Adapter> operator()(const TelnyxOptions& options) const { return telnyx(options); }
};

}  // namespace

std::shared_ptr<Adapter> make_adapter(const AdapterSettings& settings) { return std::visit(AdapterMaker{}, settings); }

std::shared_ptr<IdempotencyStore> open_configured_store(const Config& config) {
  return config.store_url ? open_store(*config.store_url) : nullptr;
}

ClientOptions make_client_options(const Config& config, std::shared_ptr<IdempotencyStore> store) {
  if (config.adapters.empty()) {
    throw ConfigurationError(
        "no provider is configured: add an [[adapters]] table to sms-sdk.toml, or set TWILIO_ACCOUNT_SID and "
        "TWILIO_AUTH_TOKEN, or TELNYX_API_KEY");
  }
  ClientOptions options = config.client;
  for (const AdapterSettings& settings : config.adapters) options.adapters.push_back(make_adapter(settings));
  if (store) {
    options.idempotency = config.idempotency;
    options.idempotency->store = std::move(store);
  }
  return options;
}

}  // namespace sms::cli
