#include <sms/adapter_kit.hpp>
#include <sms/client.hpp>
#include <sms/keywords.hpp>
#include <sms/phone_number.hpp>
#include <sms/redaction.hpp>
#include <sms/retry.hpp>
#include <sms/testing/memory_adapter.hpp>

#include "conformance/kinds.hpp"
#include "conformance/skip.hpp"
#include "conformance/values.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace sms::conformance {
namespace {

namespace json = boost::json;
using std::chrono::milliseconds;

std::string text(const json::object& input, std::string_view field) {
  const auto* value = find(input, field);
  if (!value) throw Skip(std::string(field) + " cannot be left out");
  return text_of(*value, field);
}

/// Functions that take one text name it `text` or `value`.
std::string argument(const json::object& input) { return text(input, input.contains("text") ? "text" : "value"); }

json::value keyword(const json::object& input) {
  const auto* opt_in = find(input, "optIn");
  const auto found = detect_keyword(argument(input), opt_in && opt_in->as_bool());
  if (!found) return nullptr;
  switch (found->kind) {
    case KeywordKind::opted_out:
      return json::object{{"kind", "opted_out"}, {"keyword", found->keyword}};
    case KeywordKind::opted_in:
      return json::object{{"kind", "opted_in"}, {"keyword", found->keyword}};
    case KeywordKind::help:
      return json::object{{"kind", "help"}, {"keyword", found->keyword}};
  }
  return nullptr;
}

json::value retry_after(const json::object& input) {
  const auto wait = parse_retry_after(argument(input), now_of(input));
  return wait ? json::value(wait->count()) : json::value(nullptr);
}

RetryOptions retry_options(const json::object& input) {
  RetryOptions options;
  const auto& fields = input.at("options").as_object();
  if (const auto* attempts = find(fields, "maxAttempts")) {
    options.max_attempts = static_cast<int>(integer_of(*attempts, "maxAttempts"));
  }
  if (const auto* delay = find(fields, "baseDelayMs"))
    options.base_delay = milliseconds(integer_of(*delay, "baseDelayMs"));
  if (const auto* delay = find(fields, "maxDelayMs"))
    options.max_delay = milliseconds(integer_of(*delay, "maxDelayMs"));
  return options;
}

/// Ours are refused or kept, never changed: by the client that gets them.
json::value resolved_retry_options(const json::object& input) {
  ClientOptions options;
  options.retry = retry_options(input);
  options.adapters.push_back(testing::memory());
  try {
    const Client client(options, nullptr);
  } catch (const ConfigurationError& error) {
    return json::object{{"throws", error.name()}};
  }
  return json::object{{"maxAttempts", options.retry.max_attempts},
                      {"baseDelayMs", options.retry.base_delay.count()},
                      {"maxDelayMs", options.retry.max_delay.count()}};
}

json::value retry_decision(const json::object& input) {
  std::optional<milliseconds> wish;
  if (const auto* value = find(input, "retryAfterMs")) {
    const double wished = number_of(*value, "retryAfterMs");
    if (std::isnan(wished)) throw Skip("retryAfterMs cannot be NaN");
    // A wish beyond all numbers reads as the longest one.
    wish = wished < 1e18 ? milliseconds(static_cast<std::int64_t>(wished)) : milliseconds::max();
  }
  const auto attempt = static_cast<int>(integer_of(input.at("attempt"), "attempt"));
  const auto wait = retry_delay(retry_options(input), attempt, wish, number_of(input.at("random"), "random"));
  if (!wait) return json::object{{"kind", "stop"}};
  return json::object{{"kind", "wait"}, {"delayMs", wait->count()}};
}

struct Function {
  std::string_view name;
  json::value (*call)(const json::object& input);
};

constexpr Function functions[] = {
    {"maskPhoneNumber", [](const json::object& input) { return json::value(mask_phone_number(argument(input))); }},
    {"redactText", [](const json::object& input) { return json::value(redact_text(argument(input))); }},
    {"isE164", [](const json::object& input) { return json::value(is_e164(argument(input))); }},
    {"detectKeyword", keyword},
    {"parseRetryAfter", retry_after},
    {"basicAuthorization",
     [](const json::object& input) {
       return json::value(basic_authorization(text(input, "username"), text(input, "password")));
     }},
    {"resolveRetryOptions", resolved_retry_options},
    {"decideRetry", retry_decision},
};

}  // namespace

json::value answer_redact(const VectorCase& vector_case, const json::object&) {
  const auto name = text(vector_case.input, "fn");
  const auto* function = std::ranges::find(functions, name, &Function::name);
  if (function == std::end(functions)) throw Skip("no public function " + name);
  return function->call(vector_case.input);
}

}  // namespace sms::conformance
