#pragma once

#include <sms/client.hpp>

namespace sms::detail {

/// The options with every absent port filled in. Throws `ConfigurationError` naming the option and its rule.
ClientOptions checked(ClientOptions options);

}  // namespace sms::detail
