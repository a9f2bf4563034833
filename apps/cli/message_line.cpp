#include "message_line.hpp"

#include <sms/error.hpp>

#include "nearest.hpp"
#include "sender_text.hpp"
#include "time_text.hpp"

#include <boost/json.hpp>

#include <array>

namespace sms::cli {

namespace {

namespace json = boost::json;

constexpr std::array<std::string_view, 9> fields{
    "to",         "body",           "idempotencyKey", "from", "mediaUrls", "sendAt", "validityPeriodSec",
    "webhookUrl", "providerOptions"};

[[noreturn]] void fail(std::string_view field, std::string_view rule) {
  throw InvalidMessageError(std::string(field) + " " + std::string(rule), std::string(field));
}

std::string text_of(std::string_view field, const json::value& value) {
  if (!value.is_string()) fail(field, "must be a string");
  return std::string(value.get_string());
}

From sender_of(const json::value& value) {
  constexpr std::string_view rule =
      "must be a string, or an object with one of senderId, shortCode and messagingService";
  if (value.is_string()) return parse_sender(text_of("from", value));
  if (!value.is_object() || value.get_object().size() != 1) fail("from", rule);
  const auto& [kind, inner] = *value.get_object().begin();
  std::string text = text_of("from", inner);
  if (kind == "senderId") return SenderId{std::move(text)};
  if (kind == "shortCode") return ShortCode{std::move(text)};
  if (kind == "messagingService") return MessagingService{std::move(text)};
  fail("from", rule);
}

std::vector<std::string> texts_of(std::string_view field, const json::value& value) {
  if (!value.is_array()) fail(field, "must be a list of strings");
  std::vector<std::string> texts;
  for (const json::value& one : value.get_array()) texts.push_back(text_of(field, one));
  return texts;
}

OptionValue option_value(const json::value& value) {
  if (value.is_bool()) return value.get_bool();
  if (value.is_int64()) return value.get_int64();
  if (value.is_uint64()) return static_cast<double>(value.get_uint64());
  if (value.is_double()) return value.get_double();
  if (value.is_string()) return std::string(value.get_string());
  fail("providerOptions", "must have strings, numbers and booleans as values");
}

const json::object& object_of(const json::value& value) {
  if (!value.is_object()) fail("providerOptions", "must be an object of objects, by adapter name");
  return value.get_object();
}

OptionBag options_of(const json::value& value) {
  OptionBag bag;
  for (const auto& [name, inner] : object_of(value)) {
    if (name != "extra") {
      bag.set(std::string(name), option_value(inner));
      continue;
    }
    for (const auto& [wire_name, extra] : object_of(inner)) bag.set_extra(std::string(wire_name), option_value(extra));
  }
  return bag;
}

void read_field(SendInput& input, std::string_view name, const json::value& value) {
  if (name == "to") {
    input.to = text_of(name, value);
  } else if (name == "body") {
    input.body = text_of(name, value);
  } else if (name == "idempotencyKey") {
    input.idempotency_key = text_of(name, value);
  } else if (name == "from") {
    input.from = sender_of(value);
  } else if (name == "mediaUrls") {
    input.media_urls = texts_of(name, value);
  } else if (name == "sendAt") {
    input.send_at = parse_time(text_of(name, value));
    if (!input.send_at) fail(name, time_rule);
  } else if (name == "validityPeriodSec") {
    if (!value.is_int64()) fail(name, "must be a whole number of seconds");
    input.validity_period = std::chrono::seconds(value.get_int64());
  } else if (name == "webhookUrl") {
    input.webhook_url = text_of(name, value);
  } else if (name == "providerOptions") {
    for (const auto& [adapter, options] : object_of(value)) {
      input.provider_options.insert_or_assign(std::string(adapter), options_of(options));
    }
  } else {
    const auto meant = nearest(name, fields);
    throw InvalidMessageError(
        "a field of the line is not known" + (meant ? "; did you mean " + std::string(*meant) + "?" : std::string()),
        "line");
  }
}

}  // namespace

Expected<SendInput> parse_message_line(std::string_view line) {
  try {
    json::error_code fault;
    const json::value document = json::parse(json::string_view(line.data(), line.size()), fault);
    if (fault) return InvalidMessageError("the line is not JSON: " + fault.message(), "line");
    if (!document.is_object()) return InvalidMessageError("the line is not a JSON object", "line");
    SendInput input;
    for (const auto& [name, value] : document.get_object()) read_field(input, name, value);
    return input;
  } catch (const Error& error) {
    return std::shared_ptr<const Error>(error.with_attempts({}));
  }
}

}  // namespace sms::cli
