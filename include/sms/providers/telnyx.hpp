#pragma once

#include <sms/adapter.hpp>
#include <sms/secret.hpp>

#include <memory>
#include <optional>
#include <string>

namespace sms {

/// Telnyx Messaging. Facts: docs/reference/providers/telnyx.md.
struct TelnyxOptions {
  Secret api_key;
  std::string messaging_profile_id = {};  ///< Needed for alphanumeric senders.
  std::optional<From> from = {};          ///< Default sender.
  std::string name = "telnyx";
  std::string base_url = "https://api.telnyx.com";
  bool allow_insecure = false;
  ConnectionReuse connection_reuse = ConnectionReuse::normal;
};

/// Throws `ConfigurationError`; makes no request.
std::shared_ptr<HttpAdapter> telnyx(TelnyxOptions options);

}  // namespace sms
