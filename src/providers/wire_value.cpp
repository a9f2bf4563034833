#include "providers/wire_value.hpp"

#include <type_traits>

namespace sms::detail {

std::string wire_text(const OptionValue& value) {
  return std::visit(
      [](const auto& v) -> std::string {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, bool>) {
          return v ? "true" : "false";
        } else if constexpr (std::is_same_v<T, std::string>) {
          return v;
        } else {
          std::string text;
          append_json_number(text, v);
          return text;
        }
      },
      value);
}

void write_wire_value(JsonWriter& json, const OptionValue& value) {
  std::visit(
      [&json](const auto& v) {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, bool>) {
          json.boolean(v);
        } else if constexpr (std::is_same_v<T, std::string>) {
          json.string(v);
        } else {
          json.number(v);
        }
      },
      value);
}

const std::string& sender_text(const From& from) {
  return std::visit(
      [](const auto& sender) -> const std::string& {
        if constexpr (std::is_same_v<std::decay_t<decltype(sender)>, std::string>) {
          return sender;
        } else {
          return sender.value;
        }
      },
      from);
}

}  // namespace sms::detail
