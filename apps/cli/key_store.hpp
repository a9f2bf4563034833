#pragma once

#include <sms/operator_store.hpp>

#include "arguments.hpp"
#include "commands.hpp"
#include "config.hpp"

#include <memory>
#include <optional>
#include <string>

namespace sms::cli {

/// The store with its configuration, for as long as a command looks at it.
struct KeyStore {
  Config config;
  std::shared_ptr<IdempotencyStore> store;
  OperatorStore& operators;
};

/// Throws `UsageError` where no store is named, or it has nothing for operators; `ConfigurationError` where another
/// store is expected.
KeyStore open_key_store(const Session& session);

/// The configuration, with a store. Throws `UsageError` where none is named.
Config load_store_config(const Session& session);

WallTime wall_now();

/// Throws nothing: the words were checked before.
KeyFilter parse_filter(const std::string& word);

/// Who acts, for the audit: as told, else the name of the user whose process this is.
std::string acting_user(const std::optional<std::string>& who);

}  // namespace sms::cli
