#pragma once

#include <sms/adapter.hpp>
#include <sms/providers/telnyx.hpp>
#include <sms/providers/twilio.hpp>

#include <string>
#include <utility>

namespace sms::test {

inline const std::string account_sid = "AC0f1e2d3c4b5a69788796a5b4c3d2e1f0";
inline const std::string service_sid = "MG0f1e2d3c4b5a69788796a5b4c3d2e1f0";
inline const std::string message_sid = "SM0f1e2d3c4b5a69788796a5b4c3d2e1f0";
inline const std::string sender = "+15005550006";

inline TwilioOptions twilio_options() {
  TwilioOptions options;
  options.account_sid = account_sid;
  options.auth_token = "tok-twilio";
  options.from = sender;
  return options;
}

inline TelnyxOptions telnyx_options() {
  TelnyxOptions options;
  options.api_key = "KEY_telnyx";
  options.from = sender;
  return options;
}

inline AdapterMessage message_from(std::optional<From> from = From(sender)) {
  AdapterMessage message;
  message.id = "sms_0123456789abcdef0123456789abcdef";
  message.to = "+14155550123";
  message.from = std::move(from);
  message.body = "Your code is 918273";
  return message;
}

inline HttpExchange answer(int status, std::string body, std::vector<Header> headers = {}) {
  HttpExchange exchange;
  exchange.evidence = Evidence::answered;
  exchange.status = status;
  exchange.body = std::move(body);
  exchange.headers = std::move(headers);
  return exchange;
}

}  // namespace sms::test
