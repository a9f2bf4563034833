#include "conformance/values.hpp"

#include "conformance/skip.hpp"
#include "conformance/vector_file.hpp"

#include <cmath>
#include <utility>

namespace sms::conformance {
namespace {

namespace json = boost::json;

[[noreturn]] void inexpressible(std::string_view field, const json::value& value) {
  std::string what = std::string(json::to_string(value.kind()));
  if (const auto* object = value.if_object(); object && object->contains("$num")) what = "this number";
  throw Skip(std::string(field) + " cannot be " + what);
}

bool is_undefined(const json::value& value) {
  const auto* tagged = value.if_object();
  return tagged && tagged->contains("$undef");
}

using Entries = std::vector<std::pair<std::string, const json::value*>>;

/// The fields of an object, or of `{"$entries": [[name, value], ...]}`, which keeps an order that objects lose. Without
/// undefined ones.
Entries entries_of(const json::value& value, std::string_view field) {
  const auto* object = value.if_object();
  if (!object) inexpressible(field, value);
  Entries entries;
  if (const auto* ordered = object->if_contains("$entries")) {
    for (const auto& entry : ordered->as_array()) {
      entries.emplace_back(text_of(entry.as_array().at(0), field), &entry.as_array().at(1));
    }
  } else {
    for (const auto& [name, item] : *object) entries.emplace_back(name, &item);
  }
  std::erase_if(entries, [](const auto& entry) { return is_undefined(*entry.second); });
  return entries;
}

OptionValue option_of(const json::value& value, std::string_view name) {
  if (const auto* boolean = value.if_bool()) return *boolean;
  if (const auto* integer = value.if_int64()) return *integer;
  if (value.is_string()) return text_of(value, name);
  return number_of(value, name);
}

OptionBag bag_of(const json::value& value, std::string_view adapter) {
  OptionBag bag;
  for (const auto& [name, item] : entries_of(value, adapter)) {
    const std::string field = std::string(adapter) + "." + name;
    if (name != "extra") {
      bag.set(name, option_of(*item, field));
      continue;
    }
    for (const auto& [wire_name, extra] : entries_of(*item, field)) {
      bag.set_extra(wire_name, option_of(*extra, field + "." + wire_name));
    }
  }
  return bag;
}

ProviderOptions options_of(const json::value& value) {
  ProviderOptions options;
  for (const auto& [adapter, entry] : entries_of(value, "providerOptions")) {
    options.insert_or_assign(adapter, bag_of(*entry, adapter));
  }
  return options;
}

}  // namespace

const json::value* find(const json::object& object, std::string_view field) {
  const auto* value = object.if_contains(field);
  return value && is_undefined(*value) ? nullptr : value;
}

std::string text_of(const json::value& value, std::string_view field) {
  if (!value.is_string()) inexpressible(field, value);
  return std::string(value.get_string());
}

std::int64_t integer_of(const json::value& value, std::string_view field) {
  const auto number = number_in(value);
  const bool expressible = number && std::abs(*number) < 9e18 && *number == std::trunc(*number);
  if (!expressible) inexpressible(field, value);
  return static_cast<std::int64_t>(*number);
}

double number_of(const json::value& value, std::string_view field) {
  const auto number = number_in(value);
  if (!number) inexpressible(field, value);
  return *number;
}

std::optional<std::string> optional_text(const json::object& object, std::string_view field) {
  const auto* value = find(object, field);
  if (!value) return {};
  return text_of(*value, field);
}

std::optional<From> optional_from(const json::object& object) {
  const auto* value = find(object, "from");
  if (!value) return {};
  if (value->is_string()) return From(text_of(*value, "from"));
  const auto* sender = value->if_object();
  if (!sender) inexpressible("from", *value);
  if (sender->size() != 1) throw Skip("from cannot be an object of " + std::to_string(sender->size()) + " fields");
  const auto& [kind, id] = *sender->begin();
  const std::string text = text_of(id, "from");
  if (kind == "senderId") return From(SenderId{text});
  if (kind == "shortCode") return From(ShortCode{text});
  if (kind == "messagingService") return From(MessagingService{text});
  throw Skip("from cannot be a " + std::string(kind));
}

WallTime time_of(const json::value& value, std::string_view field) {
  const auto* date = value.if_object();
  const auto* milliseconds = date ? date->if_contains("$ms") : nullptr;
  if (!milliseconds) inexpressible(field, value);
  return WallTime(std::chrono::milliseconds(integer_of(*milliseconds, field)));
}

WallTime now_of(const json::object& input) {
  const auto* now = find(input, "now");
  return WallTime(std::chrono::milliseconds(now ? integer_of(*now, "now") : 1'796'040'000'000));
}

SendInput message_of(const json::object& input) {
  const auto& message = input.at("message").as_object();
  SendInput out;
  out.to = optional_text(message, "to").value_or("");
  out.from = optional_from(message);
  if (!find(message, "body")) throw Skip("body cannot be left out");
  out.body = text_of(message.at("body"), "body");
  out.idempotency_key = optional_text(message, "idempotencyKey");
  if (const auto* urls = find(message, "mediaUrls")) {
    if (!urls->is_array()) inexpressible("mediaUrls", *urls);
    for (const auto& url : urls->get_array()) out.media_urls.push_back(text_of(url, "mediaUrls"));
  }
  if (const auto* time = find(message, "sendAt")) out.send_at = time_of(*time, "sendAt");
  if (const auto* seconds = find(message, "validityPeriodSec")) {
    out.validity_period = std::chrono::seconds(integer_of(*seconds, "validityPeriodSec"));
  }
  out.webhook_url = optional_text(message, "webhookUrl");
  const auto* ordered = find(input, "providerOptionsOrdered");
  if (const auto* options = ordered ? ordered : find(message, "providerOptions")) {
    out.provider_options = options_of(*options);
  }
  return out;
}

std::vector<Header> headers_of(const json::object& reply) {
  std::vector<Header> headers;
  if (const auto* recorded = find(reply, "headers")) {
    for (const auto& [name, value] : recorded->as_object())
      headers.push_back({std::string(name), text_of(value, name)});
  }
  return headers;
}

}  // namespace sms::conformance
