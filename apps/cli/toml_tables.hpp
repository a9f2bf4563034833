#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace sms::cli {

/// A value of a type that no key of ours has.
struct OtherValue {};
using TomlValue = std::variant<OtherValue, bool, std::int64_t, std::string>;

struct TomlEntry {
  std::string key;
  TomlValue value;
  unsigned line = 0;
};

/// One `[name]` or `[[name]]` of a TOML document; keys before the first table stand in one without a name.
struct TomlTable {
  std::string name;
  bool repeated = false;
  std::vector<TomlEntry> entries;
  unsigned line = 0;
};

/// The tables of a TOML text. Throws `ConfigurationError` with `name` and the line when it is not TOML.
std::vector<TomlTable> read_toml(const std::string& text, const std::string& name);

}  // namespace sms::cli
