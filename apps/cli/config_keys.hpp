#pragma once

#include "config.hpp"
#include "toml_tables.hpp"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sms::cli {

/// What reading secrets and paths rests on.
struct KeyContext {
  const Environment& environment;
  std::filesystem::path base;  ///< Where relative paths start.
  bool* holds_secrets;
};

/// A key of a table, and how its value is taken: `read` answers what is wrong with it, or an empty text.
struct ConfigKey {
  std::string_view name;
  std::function<std::string(const TomlValue&)> read;
};
using ConfigKeys = std::vector<ConfigKey>;

ConfigKeys store_keys(Config& config, const KeyContext& context);
ConfigKeys client_keys(Config& config);
ConfigKeys adapter_keys(TwilioOptions& options, const KeyContext& context);
ConfigKeys adapter_keys(TelnyxOptions& options, const KeyContext& context);

/// Readers of one value each.
std::function<std::string(const TomlValue&)> text_into(std::string& target);
std::function<std::string(const TomlValue&)> secret_into(Secret& target, const KeyContext& context);

/// `fail` or `wait:10s`; absent for anything else.
std::optional<InProgress> parse_in_progress(std::string_view text);
inline constexpr std::string_view in_progress_rule = "must be fail or wait:DURATION, such as wait:10s";

}  // namespace sms::cli
