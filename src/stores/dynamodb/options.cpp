#include "stores/dynamodb/options.hpp"

#include <sms/adapter_kit.hpp>
#include <sms/error.hpp>

#include "core/duration_text.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <utility>

namespace sms {
namespace {

using std::chrono::milliseconds;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

bool consists_of(std::string_view text, std::string_view more) {
  return std::ranges::all_of(text, [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || more.find(c) != std::string_view::npos;
  });
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

std::string percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape =
        text[i] == '%' && i + 2 < text.size() && hex_digit(text[i + 1]) >= 0 && hex_digit(text[i + 2]) >= 0;
    out += escape ? static_cast<char>(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2])) : text[i];
    if (escape) i += 2;
  }
  return out;
}

std::optional<std::uint32_t> whole_number(std::string_view text) {
  std::uint32_t number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  return fault == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

void set(DynamodbOptions& options, std::string_view name, const std::string& value) {
  if (name == "region") {
    options.region = value;
  } else if (name == "endpoint") {
    options.endpoint = value;
  } else if (name == "home_region") {
    options.home_region = value;
  } else if (name == "operation_timeout") {
    const auto duration = detail::parse_duration(value);
    if (!duration) throw ConfigurationError("store url: operation_timeout " + std::string(detail::duration_rule));
    options.operation_timeout = *duration;
  } else if (name == "allow_insecure") {
    if (value != "true" && value != "false") throw ConfigurationError("store url: allow_insecure is true or false");
    options.allow_insecure = value == "true";
  } else if (name == "max_in_flight") {
    const auto number = whole_number(value);
    if (!number) throw ConfigurationError("store url: max_in_flight must be a whole number");
    options.max_in_flight = *number;
  } else {
    throw ConfigurationError(
        "store url: dynamodb: takes region, endpoint, allow_insecure, home_region, operation_timeout and "
        "max_in_flight");
  }
}

}  // namespace

DynamodbOptions dynamodb_options(std::string_view url) {
  constexpr std::string_view scheme = "dynamodb://";
  if (!url.starts_with(scheme)) throw ConfigurationError("store url: must be like dynamodb://TABLE?region=eu-west-1");
  url.remove_prefix(scheme.size());
  const auto question = url.find('?');
  DynamodbOptions options;
  options.table = percent_decoded(url.substr(0, question));
  if (options.table.ends_with('/')) options.table.pop_back();
  for (auto rest = question == std::string_view::npos ? "" : url.substr(question + 1); !rest.empty();) {
    const auto pair = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(rest.size(), pair.size() + 1));
    const auto equals = pair.find('=');
    if (equals == std::string_view::npos) throw ConfigurationError("store url: options must be like name=value");
    set(options, pair.substr(0, equals), percent_decoded(pair.substr(equals + 1)));
  }
  if (options.region.empty()) options.region = environment("AWS_REGION");
  if (options.region.empty()) options.region = environment("AWS_DEFAULT_REGION");
  return options;
}

namespace detail {

DynamodbOptions complete(DynamodbOptions options) {
  const auto must = [](bool holds, const char* rule) {
    if (!holds) throw ConfigurationError(rule);
  };
  // docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html
  must(options.table.size() >= 3 && options.table.size() <= 255 &&
           consists_of(options.table, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_.-"),
       "table of the DynamoDB store must be 3 to 255 letters, digits, underscores, hyphens and dots");
  must(!options.region.empty() && consists_of(options.region, "-"),
       "region of the DynamoDB store must be like eu-west-1: in its options or URL, in AWS_REGION or "
       "AWS_DEFAULT_REGION");
  must(options.home_region.empty() || consists_of(options.home_region, "-"),
       "home_region of the DynamoDB store must be like eu-west-1");
  must(options.operation_timeout >= milliseconds(50) && options.operation_timeout <= std::chrono::hours(1),
       "operation_timeout of the DynamoDB store must be at least 50 ms and at most one hour");
  must(options.max_in_flight >= 1, "max_in_flight of the DynamoDB store must be at least 1");
  if (options.endpoint.empty()) {
    const std::string domain = options.region.starts_with("cn-") ? ".amazonaws.com.cn" : ".amazonaws.com";
    options.endpoint = "https://dynamodb." + options.region + domain;
  }
  if (const auto fault = base_url_fault(options.endpoint, options.allow_insecure)) {
    throw ConfigurationError("endpoint of the DynamoDB store " + *fault);
  }
  while (options.endpoint.ends_with('/')) options.endpoint.pop_back();
  must(options.endpoint.find('/', options.endpoint.find("://") + 3) == std::string::npos,
       "endpoint of the DynamoDB store must have no path");
  if (!options.clock) options.clock = system_clock();
  if (!options.transport) {
    CurlTransportOptions transport;
    transport.max_connections_per_host = options.max_in_flight;
    transport.max_connections = options.max_in_flight + 8;
    transport.max_answer_bytes = 16 << 20;  // A page of a scan has 1 MB of items, and is longer as JSON.
    options.transport = curl_transport(transport);
  }
  if (!options.credentials) options.credentials = default_aws_credentials(options.transport);
  return options;
}

}  // namespace detail
}  // namespace sms
