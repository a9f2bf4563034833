#include "conformance/errors.hpp"

namespace sms::conformance {
namespace {

namespace json = boost::json;

std::optional<std::string> provider_name_of(const Error& error) {
  if (error.provider()) return error.provider()->provider;
  if (!error.attempts().empty()) return error.attempts().back().provider;
  return {};
}

void add_rejection(ErrorFacts& facts, const ProviderRejectedError& error) {
  facts.provider_name = provider_name_of(error);
  facts.category = std::string(to_string(error.category()));
  facts.fallback_eligible = error.fallback_eligible();
  if (error.retry_after()) facts.retry_after_ms = error.retry_after()->count();
}

json::array errors_of(const AllProvidersRejectedError& error) {
  json::array errors;
  for (const auto& one : error.errors()) {
    json::object entry{{"class", one->name()}};
    for (const auto& [field, value] : to_json_object(*one)) entry.emplace(field, value);
    errors.push_back(std::move(entry));
  }
  return errors;
}

}  // namespace

ErrorFacts facts_of(const Error& error) {
  ErrorFacts facts;
  if (const auto* sender = dynamic_cast<const InvalidSenderError*>(&error)) {
    facts.provider_name = sender->adapter();
  } else if (const auto* message = dynamic_cast<const InvalidMessageError*>(&error)) {
    facts.field = message->field();
  } else if (const auto* unsupported = dynamic_cast<const UnsupportedFieldError*>(&error)) {
    facts.field = unsupported->field();
    facts.provider_name = unsupported->adapter();
  } else if (const auto* rejected = dynamic_cast<const ProviderRejectedError*>(&error)) {
    add_rejection(facts, *rejected);
  } else if (const auto* unknown = dynamic_cast<const HandoffUnknownError*>(&error)) {
    facts.provider_name = provider_name_of(error);
    facts.reason = std::string(to_string(unknown->reason()));
  } else if (const auto* policy = dynamic_cast<const PolicyRejectedError*>(&error)) {
    facts.reason = policy->reason();
  } else if (const auto* all = dynamic_cast<const AllProvidersRejectedError*>(&error)) {
    facts.errors = errors_of(*all);
  }
  return facts;
}

json::object to_json_object(const Error& error) { return json::parse(error.to_json()).as_object(); }

}  // namespace sms::conformance
