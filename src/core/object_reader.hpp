#pragma once

#include <sms/foreign_fields.hpp>

#include "core/json_reading.hpp"
#include "core/words.hpp"

#include <chrono>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace sms::detail {

/// Reads the fields of one object of a record. What is there but cannot be understood goes to the foreign fields, as
/// does, at the end, every field that nobody asked for. Each reader answers whether the field was there and understood.
class ObjectReader {
 public:
  ObjectReader(const boost::json::object& object, ForeignFields& foreign) : object_(object), foreign_(foreign) {}

  template <class Read>
  bool field(std::string_view name, Read&& read) {
    known_.push_back(name);
    const boost::json::value* value = object_.if_contains(name);
    if (value == nullptr) return false;
    if (read(*value)) return true;
    keep(name, *value);
    return false;
  }

  template <class Target>
  bool text(std::string_view name, Target& target) {
    return field(name, [&](const boost::json::value& value) {
      const auto text = as_string(&value);
      if (text) target = std::string(*text);
      return text.has_value();
    });
  }
  template <class Target>
  bool integer(std::string_view name, Target& target) {
    return field(name, [&](const boost::json::value& value) {
      const auto number = as_integer(&value);
      if (!number || *number < std::numeric_limits<int>::min() || *number > std::numeric_limits<int>::max())
        return false;
      target = static_cast<int>(*number);
      return true;
    });
  }
  template <class Target>
  bool milliseconds(std::string_view name, Target& target) {
    return field(name, [&](const boost::json::value& value) {
      const auto number = as_integer(&value);
      if (number) target = Target(std::chrono::milliseconds(*number));
      return number.has_value();
    });
  }
  bool flag(std::string_view name, bool& target) {
    return field(name, [&](const boost::json::value& value) {
      const auto flag = as_boolean(&value);
      if (flag) target = *flag;
      return flag.has_value();
    });
  }
  template <class Enum>
  bool word(std::string_view name, Enum& target) {
    return field(name, [&](const boost::json::value& value) {
      const auto known = from_word<Enum>(as_string(&value).value_or(""));
      if (known) target = *known;
      return known.has_value();
    });
  }
  bool constant(std::string_view name, std::string_view word) {
    return field(name, [word](const boost::json::value& value) { return as_string(&value) == word; });
  }

  void keep_the_rest() {
    for (const auto& [name, value] : object_) {
      if (!asked(name)) keep(name, value);
    }
  }

 private:
  void keep(std::string_view name, const boost::json::value& value) {
    append_json(foreign_.emplace_back(name, std::string()).second, value);
  }
  bool asked(std::string_view name) const {
    for (const std::string_view known : known_) {
      if (known == name) return true;
    }
    return false;
  }

  const boost::json::object& object_;
  ForeignFields& foreign_;
  std::vector<std::string_view> known_;
};

}  // namespace sms::detail
