#include "conformance/vector_file.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
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

/// JSON text turned into one that every parser reads alike: escapes of lone surrogates, which parsers refuse, become
/// `lone_surrogate`; numbers that are no small integers, which parsers round each in its way, become `{"$num": "..."}`.
class Rewriter {
 public:
  explicit Rewriter(std::string_view text) : rest_(text) { out_.reserve(text.size()); }

  std::string rewrite() {
    while (!rest_.empty()) {
      if (rest_[0] == '"') {
        rewrite_string();
      } else if (rest_[0] == '-' || (rest_[0] >= '0' && rest_[0] <= '9')) {
        rewrite_number();
      } else {
        copy(1);
      }
    }
    return std::move(out_);
  }

 private:
  void rewrite_string() {
    copy(1);
    while (!rest_.empty() && rest_[0] != '"') rewrite_character();
    copy(1);
  }

  void rewrite_character() {
    const auto unit = unit_of_escape(rest_);
    if (is_high(unit) && is_low(unit_of_escape(rest_.substr(6)))) {
      copy(12);
    } else if (is_high(unit) || is_low(unit)) {
      out_ += lone_surrogate;
      rest_.remove_prefix(6);
    } else {
      copy(rest_[0] == '\\' ? 2 : 1);
    }
  }

  void rewrite_number() {
    const auto number = rest_.substr(0, rest_.find_first_not_of("+-.0123456789eE"));
    const bool small_integer = number.find_first_of(".eE") == std::string_view::npos && number.size() < 16;
    if (small_integer) {
      copy(number.size());
      return;
    }
    out_.append("{\"$num\":\"").append(number).append("\"}");
    rest_.remove_prefix(number.size());
  }

  void copy(std::size_t length) {
    out_.append(rest_.substr(0, length));
    rest_.remove_prefix(std::min(length, rest_.size()));
  }

  std::string_view rest_;
  std::string out_;
};

}  // namespace

json::value read_json(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  const std::string text(std::istreambuf_iterator<char>(file), {});
  json::error_code error;
  auto value = json::parse(Rewriter(text).rewrite(), error);
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

std::optional<double> number_in(const json::value& value) {
  if (value.is_number()) return value.to_number<double>();
  const auto* object = value.if_object();
  const auto* word = object && object->size() == 1 ? object->if_contains("$num") : nullptr;
  if (!word || !word->is_string()) return {};
  // Reads the names of special numbers, too.
  return std::strtod(word->get_string().c_str(), nullptr);
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
