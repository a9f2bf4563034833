#include <sms/error.hpp>

#include "config.hpp"
#include "config_keys.hpp"
#include "nearest.hpp"
#include "toml_tables.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>

namespace sms::cli {

namespace {

constexpr std::array<std::string_view, 3> table_names{"store", "client", "adapters"};
constexpr std::array<std::string_view, 2> providers{"twilio", "telnyx"};
constexpr std::array<std::string_view, 4> later_providers{"plivo", "vonage", "sinch", "bandwidth"};

std::string title(const TomlTable& table) { return table.repeated ? "[[" + table.name + "]]" : "[" + table.name + "]"; }

/// Reads the tables of one file. Knows where it is, for error texts.
class FileReader {
 public:
  FileReader(Config& config, std::string name, KeyContext context, bool adapters)
      : config_(config), name_(std::move(name)), context_(std::move(context)), adapters_(adapters) {}

  void read(const std::vector<TomlTable>& tables) {
    for (const TomlTable& table : tables) read(table);
  }

 private:
  [[noreturn]] void fail(unsigned line, const std::string& what) const {
    throw ConfigurationError(name_ + ":" + std::to_string(line) + ": " + what);
  }

  void read(const TomlTable& table) {
    if (table.name.empty()) {
      for (const TomlEntry& entry : table.entries) fail_outside(entry);
    } else if (table.name == "store" && !table.repeated) {
      read(table, store_keys(config_, context_));
    } else if (table.name == "client" && !table.repeated) {
      read(table, client_keys(config_));
    } else if (table.name == "adapters" && table.repeated) {
      if (adapters_) read_adapter(table);
    } else {
      fail_table(table);
    }
  }

  void read(const TomlTable& table, const ConfigKeys& keys) const {
    for (const TomlEntry& entry : table.entries) {
      const auto key = std::find_if(keys.begin(), keys.end(), [&](const ConfigKey& k) { return k.name == entry.key; });
      if (key == keys.end()) fail_key(table, entry, keys);
      const std::string fault = key->read(entry.value);
      if (!fault.empty()) fail(entry.line, title(table) + " " + entry.key + " " + fault);
    }
  }

  void read_adapter(const TomlTable& table) {
    std::string provider;
    const ConfigKey provider_key{"provider", text_into(provider)};
    for (const TomlEntry& entry : table.entries) {
      if (entry.key == provider_key.name)
        read({.name = table.name, .repeated = true, .entries = {entry}, .line = table.line}, {provider_key});
    }
    if (provider == "twilio") return add_adapter(table, provider_key, TwilioOptions{});
    if (provider == "telnyx") return add_adapter(table, provider_key, TelnyxOptions{});
    fail_provider(table, provider);
  }

  template <class Options>
  void add_adapter(const TomlTable& table, const ConfigKey& provider_key, Options options) {
    ConfigKeys keys = adapter_keys(options, context_);
    keys.push_back(provider_key);
    read(table, keys);
    config_.adapters.emplace_back(std::move(options));
  }

  [[noreturn]] void fail_key(const TomlTable& table, const TomlEntry& entry, const ConfigKeys& here) const {
    std::vector<std::string_view> names;
    for (const ConfigKey& key : here) names.push_back(key.name);
    std::string text = title(table) + " has no key " + entry.key;
    if (const auto home = table_of(entry.key); !home.empty()) {
      text += "; it belongs to " + home;
    } else if (const auto meant = nearest(entry.key, names)) {
      text += "; did you mean " + std::string(*meant) + "?";
    } else {
      text += "; it has:";
      for (const std::string_view name : names) text += " " + std::string(name);
    }
    fail(entry.line, text);
  }

  [[noreturn]] void fail_outside(const TomlEntry& entry) const {
    if (entry.key == "adapters") fail(entry.line, "adapters is written as [[adapters]], once for each adapter");
    const std::string home = table_of(entry.key);
    fail(entry.line, entry.key + " stands outside of a table" + (home.empty() ? "" : "; it belongs to " + home));
  }

  [[noreturn]] void fail_table(const TomlTable& table) const {
    if (table.name == "adapters") fail(table.line, "adapters is written as [[adapters]], once for each adapter");
    if (table.repeated && std::ranges::find(table_names, table.name) != table_names.end()) {
      fail(table.line, "[" + table.name + "] stands once");
    }
    const auto meant = nearest(table.name, table_names);
    fail(table.line, "there is no table [" + table.name + "]" +
                         (meant ? "; did you mean " + std::string(*meant) + "?"
                                : "; there are [store], [client] and [[adapters]]"));
  }

  [[noreturn]] void fail_provider(const TomlTable& table, const std::string& provider) const {
    const std::string rule = "[[adapters]] provider must be \"twilio\" or \"telnyx\"";
    if (provider.empty()) fail(table.line, rule);
    if (std::ranges::find(later_providers, provider) != later_providers.end()) {
      fail(table.line, rule + "; an adapter for " + provider + " is planned, but not part of this version");
    }
    const auto meant = nearest(provider, providers);
    fail(table.line, rule + (meant ? "; did you mean " + std::string(*meant) + "?" : ""));
  }

  /// Where a key stands that was written into the wrong place; empty when there is none of that name.
  std::string table_of(const std::string& key) const {
    Config scratch;
    TwilioOptions twilio;
    TelnyxOptions telnyx;
    const auto has = [&](const ConfigKeys& keys) {
      return std::any_of(keys.begin(), keys.end(), [&](const ConfigKey& k) { return k.name == key; });
    };
    if (has(store_keys(scratch, context_))) return "[store]";
    if (has(client_keys(scratch))) return "[client]";
    if (key == "provider") return "[[adapters]]";
    if (has(adapter_keys(twilio, context_))) return "[[adapters]] of provider twilio";
    if (has(adapter_keys(telnyx, context_))) return "[[adapters]] of provider telnyx";
    return {};
  }

  Config& config_;
  std::string name_;
  KeyContext context_;
  bool adapters_;
};

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path)) {
    throw ConfigurationError("the configuration file " + path.string() + " cannot be read");
  }
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

void read_config_text(Config& config, const std::string& text, const std::filesystem::path& name,
                      const Environment& environment, bool adapters) {
  KeyContext context{environment, name.parent_path(), &config.holds_secrets};
  FileReader(config, name.string(), std::move(context), adapters).read(read_toml(text, name.string()));
}

Config load_config(const ConfigSource& source, const Environment& environment) {
  const std::filesystem::path usual = "sms-sdk.toml";
  Config config;
  if (source.file || std::filesystem::exists(usual)) {
    config.file = source.file ? std::filesystem::path(*source.file) : usual;
    read_config_text(config, read_file(config.file), config.file, environment, source.adapters);
  }
  if (source.adapters) complete_adapters(config, environment);
  if (!config.store_url) config.store_url = environment("SMS_SDK_STORE");
  if (source.store) config.store_url = source.store;
  return config;
}

}  // namespace sms::cli
