#include "providers/refusal.hpp"

#include <sms/adapter_kit.hpp>
#include <sms/redaction.hpp>

#include "core/json_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

namespace sms::detail {
namespace {

namespace json = boost::json;

bool all_digits(std::string_view text) noexcept {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

void read_number(const json::value& value, ErrorBody& into) {
  if (value.is_int64()) {
    into.number = value.get_int64();
    append_json_number(into.code, value.get_int64());
  } else if (value.is_uint64() || value.is_double()) {
    const auto number = value.is_double() ? value.get_double() : static_cast<double>(value.get_uint64());
    if (std::isfinite(number)) append_json_number(into.code, number);
  }
}

RejectionCategory category_of_status(int status) noexcept {
  return status == 401 || status == 403 ? RejectionCategory::auth : RejectionCategory::request;
}

std::optional<std::string> redacted(const std::string& text, const AdapterMessage& message) {
  std::string safe = redact_provider_text(text, message.body, message.to);
  if (safe.empty()) return std::nullopt;
  return safe;
}

}  // namespace

void read_number_code(const json::object& object, ErrorBody& into) {
  const json::value* const value = object.if_contains("code");
  if (value == nullptr) return;
  if (value->is_string()) {
    into.code = value->get_string();
  } else {
    read_number(*value, into);
  }
}

void read_digits_code(const json::object& object, ErrorBody& into) {
  read_number_code(object, into);
  if (into.number || !all_digits(into.code)) return;
  std::int64_t number = 0;
  const char* const end = into.code.data() + into.code.size();
  if (std::from_chars(into.code.data(), end, number).ec == std::errc{}) into.number = number;
}

std::optional<RejectionCategory> category_of(CodeTable table, const ErrorBody& error) {
  if (!error.number) return std::nullopt;
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const auto& row) { return row.code == *error.number; });
  if (found == table.end()) return std::nullopt;
  return found->category;
}

AdapterOutcome refuse(const HttpExchange& exchange, const AdapterMessage& message, const ErrorBody& error,
                      std::optional<RejectionCategory> listed, ProviderDetails details) {
  // Gateways answer 429 of their own accord, also after they passed a request on.
  if (exchange.status == 429 && listed != RejectionCategory::rate_limited) {
    return Unknown{UnknownReason::unexpected_status, std::move(details)};
  }
  details.code = redacted(error.code, message);
  details.message = redacted(error.message, message);

  Rejected rejected;
  rejected.category = listed.value_or(category_of_status(exchange.status));
  rejected.proof = error.number ? Proof::provider_body : Proof::status;
  rejected.details = std::move(details);
  const std::string* const wait = exchange.header("retry-after");
  if (rejected.category == RejectionCategory::rate_limited && wait != nullptr) {
    rejected.retry_after = parse_retry_after(*wait, exchange.at);
  }
  return rejected;
}

}  // namespace sms::detail
