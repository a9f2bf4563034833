#include <sms/redaction.hpp>

#include "core/text.hpp"
#include "core/validation_rules.hpp"

#include <algorithm>
#include <cmath>

namespace sms::detail {
namespace {

char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool same_name(std::string_view a, std::string_view b) noexcept {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

bool is_whole(double number) noexcept {
  return std::trunc(number) == number && std::abs(number) <= 9'007'199'254'740'991.0;
}

// Why a value does not fit its option; empty when it does.
std::string_view string_fault(const OptionSpec& spec, std::string_view text) {
  if (text.empty()) return "must not be empty";
  if (!is_valid_utf8(text)) return "must be valid UTF-8";
  if (spec.max_length != 0 && utf16_length(text) > spec.max_length) return "is too long";
  return spec.check != nullptr ? spec.check(text) : std::string_view();
}

std::string_view integer_fault(const OptionSpec& spec, const OptionValue& value) {
  const auto* number = std::get_if<double>(&value);
  const bool integer = std::holds_alternative<std::int64_t>(value) || (number != nullptr && is_whole(*number));
  if (!integer) return "must be a whole number";
  const double least = static_cast<double>(spec.min);
  const bool small = number != nullptr ? *number < least : std::get<std::int64_t>(value) < spec.min;
  return small ? "is too small" : "";
}

std::string_view fault_of(const OptionSpec& spec, const OptionValue& value) {
  const auto* text = std::get_if<std::string>(&value);
  switch (spec.type) {
    case OptionSpec::Type::boolean:
      return std::holds_alternative<bool>(value) ? "" : "must be true or false";
    case OptionSpec::Type::integer:
      return integer_fault(spec, value);
    case OptionSpec::Type::string:
      return text != nullptr ? string_fault(spec, *text) : "must be a text";
    case OptionSpec::Type::enumeration:
      if (text != nullptr && std::find(spec.words.begin(), spec.words.end(), *text) != spec.words.end()) return "";
      return "must be one of the words that the option knows";
  }
  return "has no known type";
}

std::string_view extra_fault(const OptionValue& value) {
  if (const auto* number = std::get_if<double>(&value)) return std::isfinite(*number) ? "" : "must be finite";
  if (const auto* text = std::get_if<std::string>(&value)) return is_valid_utf8(*text) ? "" : "must be valid UTF-8";
  return "";
}

// The name without the objects that this adapter's own options nest parameters in (`sms.ttl` is the `ttl` of `sms`).
std::string_view innermost(const OptionSpecs& specs, std::string_view name) {
  for (bool stripped = true; stripped;) {
    stripped = false;
    for (const OptionSpec& spec : specs.options) {
      const std::size_t dot = spec.wire.find('.');
      if (dot == std::string_view::npos || name.size() <= dot || name[dot] != '.') continue;
      if (!same_name(name.substr(0, dot), spec.wire.substr(0, dot))) continue;
      name.remove_prefix(dot + 1);
      stripped = true;
    }
  }
  return name;
}

bool is_taken(const OptionSpecs& specs, std::string_view name) {
  const auto takes = [name](std::string_view other) { return same_name(name, other); };
  return std::any_of(specs.reserved.begin(), specs.reserved.end(), takes) ||
         std::any_of(specs.options.begin(), specs.options.end(),
                     [&](const OptionSpec& spec) { return takes(spec.wire); });
}

class OptionParser {
 public:
  OptionParser(const AdapterInfo& info, const OptionBag& bag) : info_(info), bag_(bag) {}

  ParsedOptions parse() {
    for (const auto& [name, value] : bag_.values) {
      if (!knows(name)) report(IssueCode::unsupported_field, name, "is not known to this adapter");
    }
    for (const OptionSpec& spec : info_.options.options) parse_typed(spec);
    for (const auto& [name, value] : bag_.extra) parse_extra(name, value);
    return std::move(parsed_);
  }

 private:
  bool knows(std::string_view name) const {
    const auto& specs = info_.options.options;
    return std::any_of(specs.begin(), specs.end(), [name](const OptionSpec& spec) { return spec.name == name; });
  }

  void parse_typed(const OptionSpec& spec) {
    const auto last = std::find_if(bag_.values.rbegin(), bag_.values.rend(),
                                   [&](const auto& entry) { return entry.first == spec.name; });
    if (last == bag_.values.rend()) return;
    const OptionValue& value = last->second;
    const std::string_view fault = fault_of(spec, value);
    if (!fault.empty()) return report(IssueCode::invalid_field, spec.name, fault);
    const auto* number = std::get_if<double>(&value);
    parsed_.wire.emplace_back(spec.wire, number != nullptr ? OptionValue(static_cast<std::int64_t>(*number)) : value);
  }

  void parse_extra(const std::string& name, const OptionValue& value) {
    const std::string_view inner = innermost(info_.options, name);
    if (is_taken(info_.options, name) || is_taken(info_.options, inner)) {
      return report(IssueCode::unsupported_field, name, "in extra names a parameter that the adapter sets itself");
    }
    if (inner.empty() || !is_valid_utf8(name))
      return report(IssueCode::invalid_field, "", "in extra has no usable name");
    const std::string_view fault = extra_fault(value);
    if (!fault.empty()) return report(IssueCode::invalid_field, name, fault);
    parsed_.wire.emplace_back(name, value);
  }

  void report(IssueCode code, std::string_view name, std::string_view rule) {
    const std::string shown = is_valid_utf8(name) && !name.empty() ? " " + redact_text(name) : std::string();
    parsed_.issues.push_back(
        {code, "providerOptions", "The option" + shown + " " + std::string(rule) + ".", info_.name});
  }

  const AdapterInfo& info_;
  const OptionBag& bag_;
  ParsedOptions parsed_;
};

}  // namespace

ParsedOptions parse_options(const AdapterInfo& info, const ProviderOptions& options) {
  const auto entry = options.find(info.name);
  if (entry == options.end() || entry->second.empty()) return {};
  return OptionParser(info, entry->second).parse();
}

}  // namespace sms::detail
