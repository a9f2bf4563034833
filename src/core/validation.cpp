#include <sms/validation.hpp>

#include "core/json_text.hpp"
#include "core/validation_rules.hpp"

#include <iterator>

namespace sms {
namespace detail {
namespace {

// An adapter's options, and what is wrong with those of any adapter: they stand before everything that only one adapter
// minds.
struct AllOptions {
  std::vector<WireOptions> wire;
  std::vector<ValidationIssue> issues;
};

AllOptions parse_all_options(const ProviderOptions& options, Adapters adapters) {
  AllOptions all;
  for (const auto& adapter : adapters) {
    ParsedOptions parsed = parse_options(adapter->info(), options);
    all.wire.push_back(std::move(parsed.wire));
    std::move(parsed.issues.begin(), parsed.issues.end(), std::back_inserter(all.issues));
  }
  return all;
}

void write_texts(JsonWriter& json, const std::vector<std::string>& texts) {
  json.begin_array();
  for (const std::string& text : texts) json.string(text);
  json.end_array();
}

void write_issues(JsonWriter& json, const std::vector<ValidationIssue>& issues) {
  json.begin_array();
  for (const ValidationIssue& issue : issues) {
    json.begin_object().key("code").string(to_string(issue.code)).key("field").string(issue.field);
    json.key("message").string(issue.message);
    if (issue.provider) json.key("provider").string(*issue.provider);
    json.end_object();
  }
  json.end_array();
}

}  // namespace

ValidationResult validate(const SendInput& input, Adapters adapters, WallTime now) {
  ValidationResult result;
  result.estimate = estimate_segments(input.body);
  result.issues = message_issues(input, now);
  if (!result.issues.empty()) return result;
  AllOptions options = parse_all_options(input.provider_options, adapters);
  result.issues = std::move(options.issues);
  if (!result.issues.empty()) return result;

  for (std::size_t i = 0; i < adapters.size(); ++i) {
    const AdapterInfo& info = adapters[i]->info();
    const bool has_options = !options.wire[i].empty();
    auto issues = adapter_issues(*adapters[i], message_for(info, input, std::move(options.wire[i]), {}));
    if (issues.empty()) {
      result.adapter_candidates.push_back(info.name);
      if (has_options) result.provider_options_for.push_back(info.name);
      if (i == 0) result.supported = true;
    }
    std::move(issues.begin(), issues.end(), std::back_inserter(result.issues));
  }
  return result;
}

std::shared_ptr<const Error> first_error(const SendInput& input, Adapters adapters, WallTime now) {
  if (const auto issues = message_issues(input, now); !issues.empty()) return error_of(issues.front());
  WireOptions primary;
  if (!input.provider_options.empty()) {
    AllOptions options = parse_all_options(input.provider_options, adapters);
    if (!options.issues.empty()) return error_of(options.issues.front());
    primary = std::move(options.wire.front());
  }
  const Adapter& adapter = *adapters.front();
  const auto issues = adapter_issues(adapter, message_for(adapter.info(), input, std::move(primary), {}));
  return issues.empty() ? nullptr : error_of(issues.front());
}

std::shared_ptr<const Error> error_of(const ValidationIssue& issue) {
  switch (issue.code) {
    case IssueCode::invalid_recipient:
      return std::make_shared<const InvalidRecipientError>(issue.message);
    case IssueCode::invalid_sender:
    case IssueCode::missing_sender:
      return std::make_shared<const InvalidSenderError>(issue.message, issue.provider);
    case IssueCode::unsupported_field:
      return std::make_shared<const UnsupportedFieldError>(issue.message, issue.field, issue.provider.value_or(""));
    case IssueCode::empty_body:
    case IssueCode::invalid_field:
      break;
  }
  return std::make_shared<const InvalidMessageError>(issue.message, issue.field, issue.provider);
}

}  // namespace detail

std::string ValidationResult::to_json() const {
  std::string out;
  detail::JsonWriter json(out);
  json.begin_object().key("encoding").string(to_string(estimate.encoding));
  json.key("segments").number(std::int64_t{estimate.segments}).key("units").number(std::int64_t{estimate.units});
  json.key("unitsPerSegment").number(std::int64_t{estimate.units_per_segment});
  json.key("remainingInSegment").number(std::int64_t{estimate.remaining_in_segment});
  json.key("containsUnicode").boolean(estimate.contains_unicode).key("nonGsmCharacters");
  detail::write_texts(json, estimate.non_gsm_characters);
  json.key("supported").boolean(supported).key("issues");
  detail::write_issues(json, issues);
  json.key("adapterCandidates");
  detail::write_texts(json, adapter_candidates);
  json.key("providerOptionsFor");
  detail::write_texts(json, provider_options_for);
  json.end_object();
  return out;
}

}  // namespace sms
