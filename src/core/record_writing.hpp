#pragma once

#include <sms/foreign_fields.hpp>

#include "core/json_text.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sms::detail {

/// Writes one object of a record: known fields in the order of the calls, each replaced by a foreign field of its name;
/// `end` adds the other foreign fields.
class RecordObject {
 public:
  RecordObject(JsonWriter& json, const ForeignFields& foreign) : json_(json), foreign_(foreign) {
    json_.begin_object();
  }

  template <class Write>
  RecordObject& field(std::string_view name, Write&& write) {
    json_.key(name);
    if (const std::string* text = foreign(name)) {
      json_.raw(*text);
      known_.push_back(name);
    } else {
      write(json_);
    }
    return *this;
  }
  /// Writes nothing when the value is absent and no foreign field stands in its place.
  template <class T, class Write>
  RecordObject& field_if(std::string_view name, const std::optional<T>& value, Write&& write) {
    if (!value && foreign(name) == nullptr) return *this;
    return field(name, [&](JsonWriter& json) { write(json, *value); });
  }

  RecordObject& text(std::string_view name, std::string_view value) {
    return field(name, [value](JsonWriter& json) { json.string(value); });
  }
  RecordObject& number(std::string_view name, std::int64_t value) {
    return field(name, [value](JsonWriter& json) { json.number(value); });
  }
  RecordObject& flag(std::string_view name, bool value) {
    return field(name, [value](JsonWriter& json) { json.boolean(value); });
  }
  RecordObject& text_if(std::string_view name, const std::optional<std::string>& value) {
    return field_if(name, value, [](JsonWriter& json, const std::string& text) { json.string(text); });
  }
  RecordObject& number_if(std::string_view name, std::optional<std::int64_t> value) {
    return field_if(name, value, [](JsonWriter& json, std::int64_t number) { json.number(number); });
  }

  void end() {
    for (const auto& [name, text] : foreign_) {
      if (!replaced(name)) json_.key(name).raw(text);
    }
    json_.end_object();
  }

 private:
  const std::string* foreign(std::string_view name) const {
    for (const auto& [foreign_name, text] : foreign_) {
      if (foreign_name == name) return &text;
    }
    return nullptr;
  }
  bool replaced(std::string_view name) const {
    for (const std::string_view known : known_) {
      if (known == name) return true;
    }
    return false;
  }

  JsonWriter& json_;
  const ForeignFields& foreign_;
  std::vector<std::string_view> known_;
};

}  // namespace sms::detail
