#include "unit/providers/vectors.hpp"

#include <sms/error.hpp>

#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

#include <map>
#include <set>

namespace sms::test {
namespace {

namespace json = boost::json;

/// Cases where we answer differently, with the reason.
const std::map<std::string, std::string, std::less<>> outcome_deviations = {
    {"telnyx / 408 empty", "can be answered after the provider took the message"},
    {"telnyx / 499 empty", "can be answered after the provider took the message"},
    {"telnyx / 200 id with NUL", "an ID is printable ASCII"},
    {"twilio / 400 code is a phone number string", "codes are redacted, too"},
    {"twilio / 400 code 21211.5", "codes are redacted, too"},
    {"twilio / 429 20429 Retry-After plus", "no Retry-After form"},
    {"twilio / 429 20429 Retry-After negative", "no Retry-After form"},
    {"twilio / 429 20429 Retry-After iso", "no HTTP date"},
    {"twilio / 429 20429 Retry-After iso ms", "no HTTP date"},
    {"twilio / 429 20429 Retry-After list", "no Retry-After form"},
};

const std::map<std::string, std::string, std::less<>> request_deviations = {
    {"telnyx / body lone surrogate", "cannot be written in UTF-8"},
    {"telnyx / extra numbers and order", "options keep the order of the caller"},
    {"twilio / baseUrl empty string", "refused at construction"},
    {"twilio / auth token latin1", "credentials are sent as UTF-8"},
};

HttpExchange exchange_of(const json::object& input) {
  HttpExchange exchange;
  if (input.contains("networkError")) {
    exchange.evidence = Evidence::lost;
    return exchange;
  }
  exchange.evidence = Evidence::answered;
  exchange.status = input.at("status").to_number<int>();
  exchange.body = input.at("body").as_string();
  exchange.at = WallTime(std::chrono::milliseconds(input.at("now").to_number<std::int64_t>()));
  for (const auto& header : input.at("headers").as_object()) {
    exchange.headers.push_back({std::string(header.key()), std::string(header.value().as_string())});
  }
  return exchange;
}

json::object options_for(std::string_view provider) {
  if (provider == "twilio") return {{"accountSid", "AC0f1e2d3c4b5a69788796a5b4c3d2e1f0"}, {"authToken", "t"}};
  return {{"apiKey", "k"}};
}

TEST(Vectors, outcomes_are_those_of_the_contract) {
  AdapterMessage message;
  message.to = "+19995550199";
  int compared = 0;
  for (const auto& [name, input, output] : vector_cases("outcome.json")) {
    const std::string provider(input.at("provider").as_string());
    const auto outcome =
        to_vector(adapter_of(provider, options_for(provider))->outcome_of(exchange_of(input), message));
    const bool same = outcome == output;
    EXPECT_EQ(same, !outcome_deviations.contains(name)) << name << "\n  ours   " << outcome << "\n  theirs " << output;
    ++compared;
  }
  EXPECT_EQ(compared, 198);
}

json::object request_to_vector(const HttpRequest& request) {
  json::object headers;
  for (const auto& header : request.headers) {
    std::string name = header.name;
    for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (name != "user-agent") headers[name] = header.value;
  }
  return {{"method", request.method}, {"url", request.url}, {"headers", headers}, {"body", request.body}};
}

TEST(Vectors, requests_are_those_of_the_contract_byte_for_byte) {
  int compared = 0;
  for (const auto& [name, input, output] : vector_cases("requests.json")) {
    if (request_deviations.contains(name)) continue;
    const std::string provider = name.substr(0, name.find(' '));
    const auto adapter = adapter_of(provider, input.at("adapterOptions").as_object());
    SendContext context;
    context.now = WallTime(std::chrono::milliseconds(input.at("now").to_number<std::int64_t>()));
    EXPECT_EQ(json::value(request_to_vector(adapter->build(message_of(*adapter, input), context))), output) << name;
    ++compared;
  }
  EXPECT_EQ(compared, 28);
}

TEST(Vectors, options_go_out_in_the_order_of_the_caller) {
  for (const auto& [name, input, output] : vector_cases("requests.json")) {
    if (name != "telnyx / extra numbers and order") continue;
    const auto adapter = adapter_of("telnyx", input.at("adapterOptions").as_object());
    EXPECT_EQ(adapter->build(message_of(*adapter, input), {}).body,
              "{\"to\":\"+14155550123\",\"from\":\"+15005550007\",\"text\":\"m\",\"9\":0,\"10\":\"ten\",\"z\":1.5,"
              "\"a\":1e+21,"
              "\"b\":0.1,\"k\":\"v\xE2\x80\xA8\\u0001\xC3\xA9\xF0\x9F\x98\x80\",\"t\":true,\"empty\":\"\",\"e\":1e-7,"
              "\"dot\":\"sms.x\"}");
  }
}

TEST(Vectors, credentials_are_sent_as_utf8) {
  for (const auto& [name, input, output] : vector_cases("requests.json")) {
    if (name != "twilio / auth token latin1") continue;
    const auto adapter = adapter_of("twilio", input.at("adapterOptions").as_object());
    const auto headers = request_to_vector(adapter->build(message_of(*adapter, input), {})).at("headers");
    EXPECT_EQ(headers.at("authorization"), "Basic QUMwZjFlMmQzYzRiNWE2OTc4ODc5NmE1YjRjM2QyZTFmMDpww6Rzc3fDtnJk");
  }
}

TEST(Vectors, every_deviation_names_a_case) {
  std::set<std::string, std::less<>> names;
  for (const auto* const file : {"outcome.json", "requests.json"}) {
    for (const auto& entry : vector_cases(file)) names.insert(entry.name);
  }
  for (const auto* const deviations : {&outcome_deviations, &request_deviations}) {
    for (const auto& [name, reason] : *deviations) EXPECT_TRUE(names.contains(name)) << name;
  }
}

}  // namespace
}  // namespace sms::test
