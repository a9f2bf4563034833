#include "config.hpp"
#include "sender_text.hpp"

namespace sms::cli {

namespace {

std::string text_of(const Environment& environment, const std::string& name) { return environment(name).value_or(""); }

/// Credentials are taken as a whole: half of them from another account would be a puzzle.
void complete(TwilioOptions& options, const Environment& environment) {
  if (options.account_sid.empty()) options.account_sid = text_of(environment, "TWILIO_ACCOUNT_SID");
  if (options.auth_token.empty() && options.api_key_sid.empty() && options.api_key_secret.empty()) {
    options.api_key_sid = text_of(environment, "TWILIO_API_KEY_SID");
    if (options.api_key_sid.empty()) {
      options.auth_token = text_of(environment, "TWILIO_AUTH_TOKEN");
    } else {
      options.api_key_secret = text_of(environment, "TWILIO_API_KEY_SECRET");
    }
  }
  if (options.from) return;
  if (const auto from = environment("TWILIO_FROM")) {
    options.from = parse_sender(*from);
  } else if (auto service = environment("TWILIO_MESSAGING_SERVICE_SID")) {
    options.from = MessagingService{std::move(*service)};
  }
}

void complete(TelnyxOptions& options, const Environment& environment) {
  if (options.api_key.empty()) options.api_key = text_of(environment, "TELNYX_API_KEY");
  if (options.messaging_profile_id.empty()) {
    options.messaging_profile_id = text_of(environment, "TELNYX_MESSAGING_PROFILE_ID");
  }
  if (options.from) return;
  if (const auto from = environment("TELNYX_FROM")) options.from = parse_sender(*from);
}

}  // namespace

void complete_adapters(Config& config, const Environment& environment) {
  if (config.adapters.empty()) {
    if (environment("TWILIO_ACCOUNT_SID")) config.adapters.emplace_back(TwilioOptions{});
    if (environment("TELNYX_API_KEY")) config.adapters.emplace_back(TelnyxOptions{});
  }
  for (AdapterSettings& adapter : config.adapters) {
    std::visit([&](auto& options) { complete(options, environment); }, adapter);
  }
}

}  // namespace sms::cli
