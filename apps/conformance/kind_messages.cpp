// Kinds that look at a message: fingerprint, segments, validate, requests.

#include <sms/client.hpp>
#include <sms/encoding.hpp>
#include <sms/fingerprint.hpp>

#include "conformance/adapters.hpp"
#include "conformance/errors.hpp"
#include "conformance/kinds.hpp"
#include "conformance/scripted_transport.hpp"
#include "conformance/skip.hpp"
#include "conformance/values.hpp"

#include <algorithm>

namespace sms::conformance {
namespace {

namespace json = boost::json;

json::object estimate_json(const SegmentEstimate& estimate) {
  return {{"encoding", to_string(estimate.encoding)},
          {"segments", estimate.segments},
          {"units", estimate.units},
          {"unitsPerSegment", estimate.units_per_segment},
          {"remainingInSegment", estimate.remaining_in_segment},
          {"containsUnicode", estimate.contains_unicode},
          {"nonGsmCharacters", json::array(estimate.non_gsm_characters.begin(), estimate.non_gsm_characters.end())}};
}

Fallback fallback_of(const json::object& input) {
  const auto word = optional_text(input, "fallback").value_or("none");
  if (word == "none") return Fallback::none;
  if (word == "on-known-rejection") return Fallback::on_known_rejection;
  throw Skip("fallback cannot be " + word);
}

json::object send_json(const SendOutcome& outcome) {
  if (outcome) {
    return {{"ok", true},
            {"provider", outcome->provider},
            {"segments", outcome->segments},
            {"encoding", to_string(outcome->encoding)}};
  }
  const auto facts = facts_of(outcome.error());
  return {{"ok", false},
          {"class", outcome.error().name()},
          {"code", to_string(outcome.error().code())},
          {"retrySafe", outcome.error().retry_safe()},
          {"field", or_null(facts.field)},
          {"providerName", or_null(facts.provider_name)}};
}

}  // namespace

json::value answer_fingerprint(const VectorCase& vector_case, const json::object& shared) {
  const auto adapters = make_adapters(vector_case.input.at("adapters").as_array(), shared);
  const auto message = message_of(vector_case.input);
  return json::object{{"fingerprint", fingerprint(message, adapters)},
                      {"canonical", canonical_text(message, adapters)}};
}

json::value answer_segments(const VectorCase& vector_case, const json::object&) {
  const auto body = text_of(vector_case.input.at("body"), "body");
  auto answer = estimate_json(estimate_segments(body));
  answer.emplace("isGsm7", is_gsm7(body));
  return answer;
}

json::value answer_validate(const VectorCase& vector_case, const json::object& shared) {
  ClientOptions options;
  options.adapters = make_adapters(vector_case.input.at("adapters").as_array(), shared);
  options.fallback = fallback_of(vector_case.input);
  options.transport = accepting_transport();
  options.clock = recorded_clock(now_of(vector_case.input));
  const auto message = message_of(vector_case.input);
  Client client(std::move(options), nullptr);
  return json::object{{"validate", json::parse(client.validate(message).to_json())},
                      {"send", send_json(client.try_send(message))}};
}

json::value answer_requests(const VectorCase& vector_case, const json::object& shared) {
  auto adapter_options = vector_case.input.at("adapterOptions").as_object();
  for (auto& [name, value] : adapter_options) {
    const auto* text = value.if_string();
    if (text && *text == "$RSA_PEM") value = shared.at("rsaPem");
  }
  const auto message = message_of(vector_case.input);
  const auto transport = accepting_transport();
  ClientOptions options;
  try {
    options.adapters.push_back(make_http_adapter(text_of(vector_case.input.at("adapter"), "adapter"), adapter_options));
  } catch (const ConfigurationError& error) {
    return json::object{{"throws", error.name()}};
  }
  options.transport = transport;
  options.clock = recorded_clock(now_of(vector_case.input));
  Client client(std::move(options), nullptr);
  const auto outcome = client.try_send(message);
  const auto requests = transport->requests();
  if (requests.size() != 1) return json::object{{"requests", requests.size()}, {"send", send_json(outcome)}};

  json::object headers;
  for (const auto& [name, value] : requests[0].headers) {
    std::string lower = name;
    std::ranges::transform(lower, lower.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
    // Each implementation names itself.
    if (lower != "user-agent") headers.insert_or_assign(lower, value);
  }
  return json::object{{"method", requests[0].method},
                      {"url", requests[0].url},
                      {"headers", std::move(headers)},
                      {"body", requests[0].body}};
}

}  // namespace sms::conformance
