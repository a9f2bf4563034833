#pragma once

#include <sms/idempotency.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace sms {

/// Opens the store that a URL names:
///
/// - `sqlite:keys.db`, `sqlite:///var/lib/app/keys.db` or a plain path: a SQLite file, made when there is none;
/// - `postgres://...`, `postgresql://...`, `postgres:?host=...&dbname=...`: PostgreSQL, see `postgres_options`;
/// - `redis://...`, `rediss://...`: Redis or Valkey, see `redis_options`;
/// - `dynamodb://TABLE?region=...`: Amazon DynamoDB, see `dynamodb_options`;
/// - `memory:`: keys of this process alone.
///
/// The stores on servers are there where the library was built with what they need, and connect when they are used.
/// Paths are taken as they are, without percent-decoding. Throws `ConfigurationError` for a URL that this build has no
/// store for (without repeating it: a URL may hold a password), and what the store itself throws.
std::shared_ptr<IdempotencyStore> open_store(std::string_view url);

/// What `StoreMaintenance::migrate` would execute on the store that a URL names, as SQL or as the JSON of a request;
/// empty where nothing has to be made. Opens and makes nothing. Throws `ConfigurationError` as `open_store` does.
std::string store_migration(std::string_view url);

}  // namespace sms
