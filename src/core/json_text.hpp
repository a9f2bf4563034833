#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sms::detail {

/// JSON text as JavaScript's `JSON.stringify` makes it.
void append_json_string(std::string& out, std::string_view value);
void append_json_number(std::string& out, double value);
void append_json_number(std::string& out, std::int64_t value);
std::string json_string(std::string_view value);

/// Writes one object or array, field by field, in the order of the calls.
class JsonWriter {
 public:
  explicit JsonWriter(std::string& out) : out_(out) {}
  JsonWriter& begin_object();
  JsonWriter& end_object();
  JsonWriter& begin_array();
  JsonWriter& end_array();
  JsonWriter& key(std::string_view name);
  JsonWriter& string(std::string_view value);
  JsonWriter& number(std::int64_t value);
  JsonWriter& number(double value);
  JsonWriter& boolean(bool value);
  JsonWriter& null();
  JsonWriter& raw(std::string_view json);

 private:
  void separate();
  std::string& out_;
  bool first_ = true;
  bool after_key_ = false;
};

}  // namespace sms::detail
