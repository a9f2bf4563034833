#include "unit/core/recorded_message.hpp"

namespace sms::tests {
namespace {

namespace json = boost::json;

// Thrown where a recorded value cannot be said in C++.
struct Unsayable {};

const json::value* tagged(const json::value& value, std::string_view tag) {
  const json::object* object = value.if_object();
  return object != nullptr ? object->if_contains(tag) : nullptr;
}

std::string text(const json::value& value) {
  if (!value.is_string() || conformance::has_lone_surrogate(value)) throw Unsayable{};
  return std::string(value.get_string());
}

OptionValue option_value(const json::value& value) {
  if (value.is_bool()) return value.get_bool();
  if (value.is_int64()) return value.get_int64();
  if (value.is_string()) return text(value);
  const auto number = conformance::number_in(value);
  if (!number) throw Unsayable{};
  return *number;
}

// Objects whose order of keys matters are recorded as `{"$entries": [[key, value], ...]}`.
std::vector<std::pair<std::string, json::value>> entries(const json::value& value) {
  const json::value* ordered = tagged(value, "$entries");
  if (ordered == nullptr) throw Unsayable{};
  std::vector<std::pair<std::string, json::value>> out;
  for (const json::value& entry : ordered->as_array()) {
    if (tagged(entry.at(1), "$undef") != nullptr) continue;
    out.emplace_back(text(entry.at(0)), entry.at(1));
  }
  return out;
}

OptionBag option_bag(const json::value& value) {
  OptionBag bag;
  for (const auto& [name, option] : entries(value)) {
    if (name != "extra") {
      bag.set(name, option_value(option));
      continue;
    }
    for (const auto& [extra, extra_value] : entries(option)) bag.set_extra(extra, option_value(extra_value));
  }
  return bag;
}

From sender(const json::value& value) {
  if (value.is_string()) return text(value);
  const json::object* object = value.if_object();
  if (object == nullptr || object->size() != 1) throw Unsayable{};
  const std::string kind(object->begin()->key());
  const std::string name = text(object->begin()->value());
  if (kind == "senderId") return SenderId{name};
  if (kind == "shortCode") return ShortCode{name};
  if (kind == "messagingService") return MessagingService{name};
  throw Unsayable{};
}

WallTime moment(const json::value& value) {
  const json::value* ms = tagged(value, "$ms");
  const auto number = ms != nullptr ? conformance::number_in(*ms) : std::nullopt;
  if (!number) throw Unsayable{};
  return WallTime(std::chrono::milliseconds(static_cast<std::int64_t>(*number)));
}

SendInput message(const json::object& input) {
  SendInput out;
  const json::object& recorded = input.at("message").as_object();
  if (!recorded.contains("to") || !recorded.contains("body")) throw Unsayable{};
  for (const auto& [name, value] : recorded) {
    if (tagged(value, "$undef") != nullptr) continue;
    if (name == "to") out.to = text(value);
    if (name == "from") out.from = sender(value);
    if (name == "body") out.body = text(value);
    if (name == "idempotencyKey") out.idempotency_key = text(value);
    if (name == "sendAt") out.send_at = moment(value);
    if (name == "webhookUrl") out.webhook_url = text(value);
    if (name == "validityPeriodSec") {
      if (!value.is_int64()) throw Unsayable{};
      out.validity_period = std::chrono::seconds(value.get_int64());
    }
    if (name == "mediaUrls") {
      if (!value.is_array()) throw Unsayable{};
      for (const json::value& url : value.get_array()) out.media_urls.push_back(text(url));
    }
    if (name == "providerOptions") {
      const json::value* ordered = input.if_contains("providerOptionsOrdered");
      if (ordered == nullptr) throw Unsayable{};
      for (const auto& [adapter, options] : entries(*ordered)) out.provider_options[adapter] = option_bag(options);
    }
  }
  return out;
}

}  // namespace

std::optional<SendInput> recorded_message(const json::object& input) {
  try {
    return message(input);
  } catch (const Unsayable&) {
    return std::nullopt;
  }
}

conformance::VectorFile recorded(const char* file) {
  return conformance::read_vectors(std::filesystem::path(SMS_VECTORS_DIR) / file);
}

}  // namespace sms::tests
