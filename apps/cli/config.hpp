#pragma once

#include <sms/client.hpp>
#include <sms/providers/telnyx.hpp>
#include <sms/providers/twilio.hpp>

#include "environment.hpp"

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace sms::cli {

using AdapterSettings = std::variant<TwilioOptions, TelnyxOptions>;

/// What a configuration file, the environment and the command line say together.
struct Config {
  std::optional<std::string> store_url;
  ClientOptions client;            ///< Timings, retries and fallback; adapters and store are made later.
  IdempotencyOptions idempotency;  ///< The same without its store.
  std::chrono::milliseconds settle = std::chrono::minutes(5);  ///< Before a key may be released.
  std::vector<AdapterSettings> adapters;                       ///< The first is the primary.
  std::filesystem::path file;                                  ///< Where it was read from; empty without a file.
  bool holds_secrets = false;  ///< The file has a secret itself in place of `env:NAME` or `file:PATH`.
};

/// What the command line says of the configuration.
struct ConfigSource {
  std::optional<std::string> file;   ///< Absent: `sms-sdk.toml` where it exists.
  std::optional<std::string> store;  ///< Beats file and environment.
  bool adapters = true;              ///< False: for looking after keys, which needs no credentials.
};

/// Reads the configuration. The file wins over the environment, the command line over both. Throws `ConfigurationError`
/// naming file, line, key and rule; never a value.
Config load_config(const ConfigSource& source, const Environment& environment);

/// The part of it that comes from the text of a file; `name` is how error texts call it, and relative paths start where
/// it stands.
void read_config_text(Config& config, const std::string& text, const std::filesystem::path& name,
                      const Environment& environment, bool adapters = true);

/// Completes adapters whose table names no credentials or sender; without any adapter, makes those whose credentials
/// the environment has.
void complete_adapters(Config& config, const Environment& environment);

}  // namespace sms::cli
