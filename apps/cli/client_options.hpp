#pragma once

#include <sms/client.hpp>

#include "config.hpp"

#include <memory>

namespace sms::cli {

/// The adapter that a table of the configuration describes. Throws `ConfigurationError`.
std::shared_ptr<Adapter> make_adapter(const AdapterSettings& settings);

/// The configured store; null when none is configured. Throws `ConfigurationError` or `StoreUnavailableError`.
std::shared_ptr<IdempotencyStore> open_configured_store(const Config& config);

/// What a client is made of. Throws `ConfigurationError`, also when there is no adapter at all. `store` may be null:
/// then no key is remembered.
ClientOptions make_client_options(const Config& config, std::shared_ptr<IdempotencyStore> store);

}  // namespace sms::cli
