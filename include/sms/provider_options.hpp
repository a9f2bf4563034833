#pragma once

#include <concepts>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace sms {

/// The value of a provider option: what JSON can say in one word.
using OptionValue = std::variant<bool, std::int64_t, double, std::string>;

/// Options for one adapter: typed ones by their camelCase name, and `extra` parameters by their wire name, sent as they
/// are.
///
/// `OptionBag{}.set("smartEncoded", true).set_extra("TrafficType", "free")`
struct OptionBag {
  std::vector<std::pair<std::string, OptionValue>> values;
  std::vector<std::pair<std::string, OptionValue>> extra;

  /// Sets a typed option; the last value of a name counts.
  OptionBag& set(std::string name, OptionValue value);
  OptionBag& set(std::string name, const char* value) { return set(std::move(name), OptionValue(std::string(value))); }
  template <std::integral Value>
  OptionBag& set(std::string name, Value value) {
    return set(std::move(name), whole_or_flag(value));
  }
  /// Sets a parameter that is not typed.
  OptionBag& set_extra(std::string wire_name, OptionValue value);
  OptionBag& set_extra(std::string wire_name, const char* value) {
    return set_extra(std::move(wire_name), OptionValue(std::string(value)));
  }
  template <std::integral Value>
  OptionBag& set_extra(std::string wire_name, Value value) {
    return set_extra(std::move(wire_name), whole_or_flag(value));
  }
  bool empty() const noexcept { return values.empty() && extra.empty(); }

 private:
  template <std::integral Value>
  static OptionValue whole_or_flag(Value value) {
    if constexpr (std::is_same_v<Value, bool>) {
      return value;
    } else {
      return static_cast<std::int64_t>(value);
    }
  }
};

/// Adapter name -> its options. Entries for adapters that the client does not have are ignored.
using ProviderOptions = std::map<std::string, OptionBag, std::less<>>;

/// An option as it goes out: wire name and value. Typed ones in the adapter's order, then `extra` in the caller's.
using WireOptions = std::vector<std::pair<std::string, OptionValue>>;

/// What an adapter says of one typed option.
struct OptionSpec {
  enum class Type { boolean, string, integer, enumeration };
  std::string_view name;  ///< camelCase, as the caller writes it.
  std::string_view wire;  ///< As the provider has it; a dot means a field of a nested object.
  Type type = Type::string;
  std::vector<std::string_view> words = {};  ///< For an enumeration.
  std::int64_t min = 0;                      ///< For an integer.
  std::size_t max_length = 0;                ///< For a string, in UTF-16 code units; 0 = no limit.
  /// For a string: a further rule; answers what is wrong ("must be an http(s) URL"), or an empty text.
  std::string_view (*check)(std::string_view value) = nullptr;
};

/// All typed options of an adapter and the wire names that it sets itself.
struct OptionSpecs {
  std::vector<OptionSpec> options;
  std::vector<std::string_view> reserved;
};

}  // namespace sms
