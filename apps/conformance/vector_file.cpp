#include "conformance/vector_file.hpp"

#include <charconv>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>

namespace sms::conformance {
namespace {

namespace json = boost::json;

/// The code unit of a `\uXXXX` escape at the front of `text`.
std::optional<unsigned> unit_of_escape(std::string_view text) {
  if (text.size() < 6 || !text.starts_with("\\u")) return {};
  unsigned unit = 0;
  const auto [end, error] = std::from_chars(text.data() + 2, text.data() + 6, unit, 16);
  if (error != std::errc() || end != text.data() + 6) return {};
  return unit;
}

bool is_high(std::optional<unsigned> unit) { return unit && *unit >= 0xD800 && *unit < 0xDC00; }
bool is_low(std::optional<unsigned> unit) { return unit && *unit >= 0xDC00 && *unit < 0xE000; }

/// JSON parsers refuse the escapes of lone surrogates.
std::string replace_lone_surrogates(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    std::size_t length = text[0] == '\\' && text.size() > 1 ? 2 : 1;
    const auto unit = unit_of_escape(text);
    if (unit) length = 6;
    if (is_high(unit) && is_low(unit_of_escape(text.substr(6)))) {
      length = 12;
    } else if (is_high(unit) || is_low(unit)) {
      out += lone_surrogate;
      text.remove_prefix(6);
      continue;
    }
    out.append(text.substr(0, length));
    text.remove_prefix(length);
  }
  return out;
}

}  // namespace

json::value read_json(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  const std::string text(std::istreambuf_iterator<char>(file), {});
  json::error_code error;
  auto value = json::parse(replace_lone_surrogates(text), error);
  if (error) throw std::runtime_error(path.string() + " is not JSON: " + error.message());
  return value;
}

VectorFile read_vectors(const std::filesystem::path& path) {
  const auto value = read_json(path);
  if (!value.is_array()) throw std::runtime_error(path.string() + " is not an array of cases");
  VectorFile file;
  for (const auto& entry : value.get_array()) {
    const auto* object = entry.if_object();
    const auto* name = object ? object->if_contains("name") : nullptr;
    const auto* input = object ? object->if_contains("input") : nullptr;
    if (!name || !name->is_string() || !input || !input->is_object()) {
      throw std::runtime_error(path.string() + " has an entry without name or input");
    }
    if (name->get_string().starts_with("(")) {
      for (const auto& [key, shared] : input->get_object()) file.shared.insert_or_assign(key, shared);
      continue;
    }
    const auto* output = object->if_contains("output");
    file.cases.push_back({std::string(name->get_string()), input->get_object(), output ? *output : json::value()});
  }
  return file;
}

bool has_lone_surrogate(const json::value& value) {
  if (const auto* text = value.if_string()) return text->find(lone_surrogate) != json::string::npos;
  if (const auto* array = value.if_array()) {
    for (const auto& item : *array) {
      if (has_lone_surrogate(item)) return true;
    }
  }
  if (const auto* object = value.if_object()) {
    for (const auto& [key, item] : *object) {
      if (key.find(lone_surrogate) != json::string_view::npos || has_lone_surrogate(item)) return true;
    }
  }
  return false;
}

}  // namespace sms::conformance
