#include "stores/dynamodb/verdict.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace sms::detail {
namespace {

using Kind = Verdict::Kind;

// docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html and
// docs.aws.amazon.com/amazondynamodb/latest/APIReference/CommonErrors.html
constexpr std::array again_words = {"ProvisionedThroughputExceededException",
                                    "ThrottlingException",
                                    "Throttling",
                                    "RequestLimitExceeded",
                                    "LimitExceededException",
                                    "InternalServerError",
                                    "InternalFailure",
                                    "ServiceUnavailable",
                                    "ServiceUnavailableException"};
constexpr std::array time_words = {"RequestTimeTooSkewed", "RequestExpired", "InvalidSignatureException",
                                   "SignatureDoesNotMatch"};
constexpr std::array credential_words = {"ExpiredTokenException", "ExpiredToken", "UnrecognizedClientException",
                                         "InvalidClientTokenId"};

template <class Words>
bool is_one_of(const Words& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

/// `com.amazonaws.dynamodb.v20120810#ThrottlingException` without what comes before the mark.
std::string error_type(const std::optional<boost::json::value>& body) {
  const auto type = as_string(field(body ? &*body : nullptr, "__type")).value_or("");
  return std::string(type.substr(type.find('#') == std::string_view::npos ? 0 : type.find('#') + 1));
}

Kind kind_of(std::string_view type, int status) {
  if (is_one_of(again_words, type)) return Kind::again;
  if (is_one_of(time_words, type)) return Kind::wrong_time;
  if (is_one_of(credential_words, type)) return Kind::wrong_credentials;
  return status == 408 || status == 429 || status >= 500 ? Kind::again : Kind::refused;
}

}  // namespace

Verdict verdict_on(const HttpExchange& exchange) {
  if (exchange.evidence != Evidence::answered) {
    return {Kind::again, {}, exchange.failure.empty() ? "the connection broke" : exchange.failure};
  }
  auto body = parse_json(exchange.body);
  if (exchange.status == 200) {
    if (!body || !body->is_object()) return {Kind::again, {}, "an answer that is no JSON object"};
    return {Kind::done, {false, *std::move(body)}, {}};
  }
  auto type = error_type(body);
  if (type == "ConditionalCheckFailedException") return {Kind::done, {true, *std::move(body)}, {}};
  const auto kind = kind_of(type, exchange.status);
  if (type.empty()) type = "HTTP status " + std::to_string(exchange.status);
  return {kind, {}, std::move(type)};
}

}  // namespace sms::detail
