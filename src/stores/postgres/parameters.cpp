#include "stores/postgres/parameters.hpp"

namespace sms::detail {
namespace {

constexpr unsigned text_type = 25;
constexpr unsigned text_array_type = 1009;
constexpr int as_text = 0;
constexpr int as_binary = 1;

void append_int(std::string& out, std::int32_t value) {
  const auto bits = static_cast<std::uint32_t>(value);
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>((bits >> shift) & 0xFFU);
}

}  // namespace

PgParameters& PgParameters::text(std::string_view value) { return text_or_null(std::string(value)); }

PgParameters& PgParameters::text_or_null(const std::optional<std::string>& value) {
  values_.push_back(value);
  types_.push_back(text_type);
  formats_.push_back(as_text);
  return *this;
}

PgParameters& PgParameters::texts(const std::vector<std::optional<std::string>>& values) {
  std::string array;
  append_int(array, 1);  // dimensions
  append_int(array, 1);  // may hold nulls
  append_int(array, text_type);
  append_int(array, static_cast<std::int32_t>(values.size()));
  append_int(array, 1);  // first index
  for (const auto& value : values) {
    append_int(array, value ? static_cast<std::int32_t>(value->size()) : -1);
    if (value) array += *value;
  }
  values_.emplace_back(std::move(array));
  types_.push_back(text_array_type);
  formats_.push_back(as_binary);
  return *this;
}

std::vector<const char*> PgParameters::pointers() const {
  std::vector<const char*> pointers;
  for (const auto& value : values_) pointers.push_back(value ? value->c_str() : nullptr);
  return pointers;
}

std::vector<int> PgParameters::lengths() const {
  std::vector<int> lengths;
  for (const auto& value : values_) lengths.push_back(value ? static_cast<int>(value->size()) : 0);
  return lengths;
}

}  // namespace sms::detail
