#pragma once

#include <sms/adapter.hpp>
#include <sms/secret.hpp>

#include <memory>
#include <optional>
#include <string>

namespace sms {

/// Twilio Programmable Messaging. Facts: docs/reference/providers/twilio.md.
struct TwilioOptions {
  std::string account_sid;        ///< `AC` and 32 hex digits.
  Secret auth_token = {};         ///< Either this,
  std::string api_key_sid = {};   ///< or an API key
  Secret api_key_secret = {};     ///< with its secret.
  std::optional<From> from = {};  ///< Default sender.
  std::string name = "twilio";
  std::string base_url =
      "https://api.twilio.com";  ///< https, unless the host is a loopback address or `allow_insecure` is set.
  bool allow_insecure = false;
  ConnectionReuse connection_reuse = ConnectionReuse::normal;
};

/// Throws `ConfigurationError`; makes no request.
std::shared_ptr<HttpAdapter> twilio(TwilioOptions options);

}  // namespace sms
