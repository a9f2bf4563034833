#include "conformance/adapters.hpp"
#include "conformance/kinds.hpp"
#include "conformance/scripted_transport.hpp"
#include "conformance/skip.hpp"
#include "conformance/values.hpp"

namespace sms::conformance {
namespace {

namespace json = boost::json;

json::object details_json(const ProviderDetails& details) {
  json::object out{{"provider", details.provider}};
  if (details.http_status) out.emplace("httpStatus", *details.http_status);
  if (details.code) out.emplace("code", *details.code);
  if (details.message) out.emplace("message", *details.message);
  if (details.request_id) out.emplace("requestId", *details.request_id);
  return out;
}

json::object outcome_json(const Accepted& accepted) {
  return {{"kind", "accepted"}, {"providerId", accepted.provider_id}, {"delivery", to_string(accepted.delivery)}};
}

json::object outcome_json(const Rejected& rejected) {
  json::object out{{"kind", "rejected"}, {"category", to_string(rejected.category)}};
  if (rejected.retry_after) out.emplace("retryAfterMs", rejected.retry_after->count());
  out.emplace("details", details_json(rejected.details));
  return out;
}

json::object outcome_json(const Unknown& unknown) {
  json::object out{{"kind", "unknown"}, {"reason", to_string(unknown.reason)}};
  if (unknown.details) out.emplace("details", details_json(*unknown.details));
  return out;
}

HttpExchange exchange_of(const json::object& input) {
  const auto* failed = find(input, "networkError");
  if (failed && failed->as_bool()) return lost();
  return answered(static_cast<int>(integer_of(input.at("status"), "status")), headers_of(input),
                  text_of(input.at("body"), "body"));
}

/// The files do not say which message was sent; the providers' words in them name this number.
AdapterMessage some_message() {
  AdapterMessage message;
  message.id = "sms_00000000000000000000000000000000";
  message.to = "+14155550123";
  message.body = "m";
  return message;
}

}  // namespace

json::value answer_outcome(const VectorCase& vector_case, const json::object&) {
  const auto provider = text_of(vector_case.input.at("provider"), "provider");
  auto options = default_options(provider);
  if (const auto* key = find(vector_case.input, "privateKey")) options.insert_or_assign("privateKey", *key);
  const auto adapter = make_http_adapter(provider, options);
  auto exchange = exchange_of(vector_case.input);
  exchange.at = now_of(vector_case.input);
  return std::visit([](const auto& outcome) -> json::value { return outcome_json(outcome); },
                    adapter->outcome_of(exchange, some_message()));
}

}  // namespace sms::conformance
