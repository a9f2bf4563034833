#include "toml_tables.hpp"

#include <sms/error.hpp>

#include <toml++/toml.h>

namespace sms::cli {

namespace {

TomlValue value_of(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* number = node.as_integer()) return number->get();
  if (const auto* truth = node.as_boolean()) return truth->get();
  return OtherValue{};
}

TomlTable table_of(std::string_view name, const toml::table& table, bool repeated) {
  TomlTable result{.name = std::string(name), .repeated = repeated, .entries = {}, .line = table.source().begin.line};
  for (const auto& [key, node] : table) {
    result.entries.push_back({std::string(key.str()), value_of(node), node.source().begin.line});
  }
  return result;
}

bool holds_tables(const toml::node& node) {
  const auto* array = node.as_array();
  return array != nullptr && !array->empty() && array->is_homogeneous<toml::table>();
}

}  // namespace

std::vector<TomlTable> read_toml(const std::string& text, const std::string& name) {
  toml::table document;
  try {
    document = toml::parse(text, name);
  } catch (const toml::parse_error& fault) {
    throw ConfigurationError(name + ":" + std::to_string(fault.source().begin.line) +
                             ": not TOML: " + std::string(fault.description()));
  }
  std::vector<TomlTable> tables(1);
  for (const auto& [key, node] : document) {
    if (const auto* table = node.as_table()) {
      tables.push_back(table_of(key.str(), *table, false));
    } else if (holds_tables(node)) {
      for (const toml::node& one : *node.as_array()) tables.push_back(table_of(key.str(), *one.as_table(), true));
    } else {
      tables.front().entries.push_back({std::string(key.str()), value_of(node), node.source().begin.line});
    }
  }
  return tables;
}

}  // namespace sms::cli
