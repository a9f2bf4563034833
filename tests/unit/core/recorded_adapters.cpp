#include "unit/core/recorded_adapters.hpp"

#include <sms/adapter_kit.hpp>
#include <sms/providers/telnyx.hpp>
#include <sms/providers/twilio.hpp>
#include <sms/testing/memory_adapter.hpp>

#include <stdexcept>

namespace sms::tests {
namespace {

class DataAdapter : public Adapter {
 public:
  explicit DataAdapter(AdapterInfo info) : info_(std::move(info)) {}
  const AdapterInfo& info() const override { return info_; }
  void send(AdapterMessage, SendContext, Callback<AdapterOutcome> done) override { done(AdapterOutcome(Unknown{})); }

 private:
  AdapterInfo info_;
};

constexpr auto boolean = OptionSpec::Type::boolean;
constexpr auto words = OptionSpec::Type::enumeration;

AdapterInfo plivo_info() {
  AdapterInfo info;
  info.name = info.provider = "plivo";
  info.capabilities.mms = true;
  info.capabilities.validity_period = {std::chrono::seconds(5), std::chrono::seconds(10799)};
  info.capabilities.webhook_url_override = true;
  info.default_sender = From(std::string("+15005550008"));
  info.options.options = {
      {.name = "log", .wire = "log", .type = words, .words = {"true", "false", "content_only", "number_only"}},
      {.name = "trackable", .wire = "trackable", .type = boolean}};
  info.options.reserved = {"src", "powerpack_uuid", "dst",           "text", "type", "media_urls",
                           "url", "method",         "message_expiry"};
  return info;
}

AdapterInfo vonage_info(bool jwt) {
  AdapterInfo info;
  info.name = info.provider = "vonage";
  info.capabilities.validity_period = {std::chrono::seconds(20), std::chrono::seconds(604800)};
  info.capabilities.webhook_url_override = jwt;
  info.capabilities.short_code_sender = false;
  info.capabilities.messaging_service_sender = false;
  info.capabilities.body_required = true;
  info.default_sender = jwt ? From(SenderId{"Acme1"}) : From(std::string("+15005550009"));
  info.options.options = {
      {.name = "clientRef", .wire = "client_ref", .max_length = 100},
      {.name = "webhookVersion", .wire = "webhook_version", .type = words, .words = {"v0.1", "v1"}},
      {.name = "trustedRecipient", .wire = "trusted_recipient", .type = boolean},
      {.name = "encodingType", .wire = "sms.encoding_type", .type = words, .words = {"text", "unicode", "auto"}},
      {.name = "contentId", .wire = "sms.content_id"},
      {.name = "entityId", .wire = "sms.entity_id"},
      {.name = "poolId", .wire = "sms.pool_id"}};
  info.options.reserved = {"message_type", "channel", "to", "from", "text", "ttl", "webhook_url", "failover", "sms"};
  return info;
}

std::shared_ptr<Adapter> recorded_adapter(std::string_view name) {
  if (name.starts_with("twilio") || name == "memory+twilio-spec") {
    TwilioOptions options;
    if (name == "memory+twilio-spec") options.name = "memory";
    options.account_sid = "AC0f1e2d3c4b5a69788796a5b4c3d2e1f0";
    options.auth_token = "tok-twilio";
    if (name == "twilio") options.from = From(std::string("+15005550006"));
    if (name == "twilio-apikey") options.from = From(MessagingService{"MG0f1e2d3c4b5a69788796a5b4c3d2e1f0"});
    return twilio(std::move(options));
  }
  if (name.starts_with("telnyx")) {
    TelnyxOptions options;
    options.api_key = "KEY_telnyx";
    options.from = From(std::string("+15005550007"));
    if (name == "telnyx-profile") options.messaging_profile_id = "prof-1";
    return telnyx(std::move(options));
  }
  if (name == "plivo") return std::make_shared<DataAdapter>(plivo_info());
  if (name == "vonage" || name.starts_with("vonage-"))
    return std::make_shared<DataAdapter>(vonage_info(name == "vonage-jwt"));
  if (name == "memory") return testing::memory();
  throw std::runtime_error("no adapter " + std::string(name));
}

}  // namespace

AdapterSet recorded_adapters(const boost::json::array& names) {
  AdapterSet adapters;
  for (const auto& name : names) adapters.push_back(recorded_adapter(name.as_string()));
  return adapters;
}

}  // namespace sms::tests
