#pragma once

#include <sms/idempotency.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace sms {

/// Opens the store that a URL names:
///
/// - `sqlite:keys.db`, `sqlite:///var/lib/app/keys.db` or a plain path: a SQLite file, made when there is none;
/// - `memory:`: keys of this process alone.
///
/// Paths are taken as they are, without percent-decoding. Throws `ConfigurationError` for a URL that this build has no
/// store for (without repeating it: a URL may hold a password), and what the store itself throws.
std::shared_ptr<IdempotencyStore> open_store(std::string_view url);

/// What `StoreMaintenance::migrate` would execute on the store that a URL names, as SQL or as the JSON of a request;
/// empty where nothing has to be made. Opens and makes nothing. Throws `ConfigurationError` as `open_store` does.
std::string store_migration(std::string_view url);

}  // namespace sms
