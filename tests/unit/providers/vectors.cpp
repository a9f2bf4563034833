#include "unit/providers/vectors.hpp"

#include <sms/providers/telnyx.hpp>
#include <sms/providers/twilio.hpp>

#include "core/validation_rules.hpp"

#include <boost/json/parse.hpp>

#include <fstream>
#include <regex>
#include <sstream>
#include <stdexcept>

namespace sms::test {
namespace {

namespace json = boost::json;

std::string text(const json::value& value) { return std::string(value.as_string()); }

std::string text_or_nothing(const json::object& object, std::string_view name) {
  const json::value* const value = object.if_contains(name);
  return value == nullptr ? "" : text(*value);
}

From from_of(const json::value& value) {
  if (value.is_string()) return text(value);
  const auto& object = value.as_object();
  if (const auto* id = object.if_contains("senderId")) return SenderId{text(*id)};
  if (const auto* code = object.if_contains("shortCode")) return ShortCode{text(*code)};
  return MessagingService{text(object.at("messagingService"))};
}

OptionValue option_value(const json::value& value) {
  if (value.is_bool()) return value.get_bool();
  if (value.is_int64()) return value.get_int64();
  if (value.is_double()) return value.get_double();
  if (value.is_string()) return text(value);
  if (text(value.as_object().at("$num")) == "-0") return -0.0;
  throw std::runtime_error("a number that this reader does not know");
}

OptionBag bag_of(const json::value& entries) {
  OptionBag bag;
  for (const auto& entry : entries.at("$entries").as_array()) {
    const std::string name = text(entry.at(0));
    if (name != "extra") {
      bag.set(name, option_value(entry.at(1)));
      continue;
    }
    for (const auto& extra : entry.at(1).at("$entries").as_array())
      bag.set_extra(text(extra.at(0)), option_value(extra.at(1)));
  }
  return bag;
}

SendInput input_of(const json::object& input) {
  const auto& message = input.at("message").as_object();
  SendInput result;
  result.to = text(message.at("to"));
  result.body = text(message.at("body"));
  if (const auto* from = message.if_contains("from")) result.from = from_of(*from);
  if (const auto* urls = message.if_contains("mediaUrls")) {
    for (const auto& url : urls->as_array()) result.media_urls.push_back(text(url));
  }
  if (const auto* url = message.if_contains("webhookUrl")) result.webhook_url = text(*url);
  if (const auto* at = message.if_contains("sendAt")) {
    result.send_at = WallTime(std::chrono::milliseconds(at->at("$ms").to_number<std::int64_t>()));
  }
  if (const auto* options = input.if_contains("providerOptionsOrdered")) {
    for (const auto& entry : options->at("$entries").as_array())
      result.provider_options[text(entry.at(0))] = bag_of(entry.at(1));
  }
  return result;
}

std::string_view kind_of(const AdapterOutcome& outcome) {
  constexpr std::string_view kinds[] = {"accepted", "rejected", "unknown"};
  return kinds[outcome.index()];
}

json::value details_to_vector(const ProviderDetails& details) {
  json::object result{{"provider", details.provider}};
  if (details.http_status) result["httpStatus"] = *details.http_status;
  if (details.code) result["code"] = *details.code;
  if (details.message) result["message"] = *details.message;
  if (details.request_id) result["requestId"] = *details.request_id;
  return result;
}

/// JSON text in which escapes of surrogates without their other half stand as U+FFFD, which parsers take.
std::string without_lone_surrogates(std::string text) {
  static const std::regex escapes(
      R"(\\(?:\\|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.))");
  std::string result;
  auto from = text.cbegin();
  for (std::sregex_iterator it(text.begin(), text.end(), escapes), end; it != end; ++it) {
    result.append(from, (*it)[0].first);
    result += (*it)[1].matched ? "\\ufffd" : it->str();
    from = (*it)[0].second;
  }
  return result.append(from, text.cend());
}

std::string as_text(std::string_view view) { return std::string(view); }

}  // namespace

std::vector<VectorCase> vector_cases(std::string_view file) {
  std::ifstream stream(std::string(SMS_VECTORS) + "/" + std::string(file));
  std::ostringstream content;
  content << stream.rdbuf();
  const json::value parsed = json::parse(without_lone_surrogates(content.str()));
  std::vector<VectorCase> cases;
  for (const auto& entry : parsed.as_array()) {
    const std::string name = text(entry.at("name"));
    if (!name.starts_with("twilio / ") && !name.starts_with("telnyx / ")) continue;
    cases.push_back({name, entry.at("input").as_object(), entry.at("output")});
  }
  return cases;
}

std::shared_ptr<HttpAdapter> adapter_of(std::string_view provider, const json::object& options) {
  std::optional<From> from;
  if (const auto* value = options.if_contains("from")) from = from_of(*value);
  const json::value* const base_url = options.if_contains("baseUrl");
  if (provider == "twilio") {
    TwilioOptions result;
    result.account_sid = text(options.at("accountSid"));
    result.auth_token = text_or_nothing(options, "authToken");
    result.api_key_sid = text_or_nothing(options, "apiKeySid");
    result.api_key_secret = text_or_nothing(options, "apiKeySecret");
    result.from = from;
    if (base_url != nullptr) result.base_url = text(*base_url);
    return twilio(std::move(result));
  }
  TelnyxOptions result;
  result.api_key = text(options.at("apiKey"));
  result.messaging_profile_id = text_or_nothing(options, "messagingProfileId");
  result.from = from;
  if (base_url != nullptr) result.base_url = text(*base_url);
  return telnyx(std::move(result));
}

AdapterMessage message_of(const Adapter& adapter, const json::object& input) {
  const SendInput send = input_of(input);
  auto parsed = detail::parse_options(adapter.info(), send.provider_options);
  if (!parsed.issues.empty()) throw std::runtime_error(parsed.issues.front().message);
  return detail::message_for(adapter.info(), send, std::move(parsed.wire), "sms_0123456789abcdef0123456789abcdef");
}

json::value to_vector(const AdapterOutcome& outcome) {
  json::object result{{"kind", as_text(kind_of(outcome))}};
  if (const auto* const accepted = std::get_if<Accepted>(&outcome)) {
    result["providerId"] = accepted->provider_id;
    result["delivery"] = as_text(to_string(accepted->delivery));
  } else if (const auto* const rejected = std::get_if<Rejected>(&outcome)) {
    result["category"] = as_text(to_string(rejected->category));
    if (rejected->retry_after) result["retryAfterMs"] = rejected->retry_after->count();
    result["details"] = details_to_vector(rejected->details);
  } else if (const auto* const unknown = std::get_if<Unknown>(&outcome)) {
    result["reason"] = as_text(to_string(unknown->reason));
    if (unknown->details) result["details"] = details_to_vector(*unknown->details);
  }
  return result;
}

}  // namespace sms::test
