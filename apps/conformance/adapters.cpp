#include "conformance/adapters.hpp"

#include <sms/providers/telnyx.hpp>
#include <sms/providers/twilio.hpp>
#include <sms/testing/memory_adapter.hpp>

#include "conformance/skip.hpp"
#include "conformance/values.hpp"

#include <algorithm>
#include <array>

namespace sms::conformance {
namespace {

namespace json = boost::json;

/// Reads options by name and refuses what nobody asked for.
class Options {
 public:
  Options(std::string_view adapter, const json::object& fields) : adapter_(adapter), fields_(fields) {}

  std::string text(std::string_view field, std::string fallback = {}) {
    read_.emplace_back(field);
    return optional_text(fields_, field).value_or(std::move(fallback));
  }

  std::optional<From> from() {
    read_.emplace_back("from");
    return optional_from(fields_);
  }

  void done() const {
    for (const auto& [field, value] : fields_) {
      if (std::ranges::find(read_, field) == read_.end()) {
        throw Skip("adapter " + std::string(adapter_) + " has no option " + std::string(field));
      }
    }
  }

 private:
  std::string_view adapter_;
  const json::object& fields_;
  std::vector<std::string> read_;
};

std::shared_ptr<Adapter> make_twilio(Options options) {
  TwilioOptions twilio;
  twilio.account_sid = options.text("accountSid");
  twilio.auth_token = options.text("authToken");
  twilio.api_key_sid = options.text("apiKeySid");
  twilio.api_key_secret = options.text("apiKeySecret");
  twilio.base_url = options.text("baseUrl", twilio.base_url);
  twilio.from = options.from();
  options.done();
  return sms::twilio(std::move(twilio));
}

std::shared_ptr<Adapter> make_telnyx(Options options) {
  TelnyxOptions telnyx;
  telnyx.api_key = options.text("apiKey");
  telnyx.messaging_profile_id = options.text("messagingProfileId");
  telnyx.base_url = options.text("baseUrl", telnyx.base_url);
  telnyx.from = options.from();
  options.done();
  return sms::telnyx(std::move(telnyx));
}

std::shared_ptr<Adapter> make_memory(Options options) {
  testing::MemoryAdapterOptions memory;
  if (auto from = options.from()) memory.from = std::move(from);
  options.done();
  return testing::memory(std::move(memory));
}

struct Factory {
  std::string_view provider;
  std::shared_ptr<Adapter> (*make)(Options);
};
constexpr std::array factories{Factory{"twilio", make_twilio}, Factory{"telnyx", make_telnyx},
                               Factory{"memory", make_memory}};

}  // namespace

std::shared_ptr<Adapter> make_adapter(std::string_view name, const json::object& options) {
  const auto provider = name.substr(0, name.find('-'));
  const auto* factory = std::ranges::find(factories, provider, &Factory::provider);
  if (factory == factories.end()) throw Skip("no adapter " + std::string(provider) + " in this build");
  return factory->make(Options(name, options));
}

std::shared_ptr<HttpAdapter> make_http_adapter(std::string_view name, const json::object& options) {
  auto adapter = std::dynamic_pointer_cast<HttpAdapter>(make_adapter(name, options));
  if (!adapter) throw Skip("adapter " + std::string(name) + " does not speak HTTP");
  return adapter;
}

json::object default_options(std::string_view provider) {
  const std::string hex = "0f1e2d3c4b5a69788796a5b4c3d2e1f0";
  if (provider == "twilio") return {{"accountSid", "AC" + hex}, {"authToken", "token"}, {"from", "+15005550006"}};
  if (provider == "telnyx") return {{"apiKey", "key"}, {"from", "+15005550007"}};
  return {};
}

std::vector<std::shared_ptr<Adapter>> make_adapters(const json::array& names, const json::object& shared) {
  std::vector<std::shared_ptr<Adapter>> adapters;
  for (const auto& entry : names) {
    const std::string name = text_of(entry, "adapters");
    const auto* options = shared.if_contains(name);
    adapters.push_back(make_adapter(name, options ? options->as_object() : default_options(name)));
  }
  return adapters;
}

}  // namespace sms::conformance
