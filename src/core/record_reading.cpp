#include <sms/idempotency.hpp>

#include "core/json_reading.hpp"
#include "core/object_reader.hpp"
#include "core/words.hpp"

namespace sms {
namespace {

namespace json = boost::json;
using detail::ObjectReader;

void read_outcome(ObjectReader& reader, Attempt::Accepted& accepted) {
  reader.text("providerId", accepted.provider_id);
  reader.word("delivery", accepted.delivery);
}

void read_outcome(ObjectReader& reader, Attempt::Rejected& rejected) {
  reader.word("category", rejected.category);
  reader.integer("httpStatus", rejected.http_status);
  reader.text("providerCode", rejected.provider_code);
  reader.milliseconds("retryAfterMs", rejected.retry_after);
}

void read_outcome(ObjectReader& reader, Attempt::Unknown& unknown) {
  reader.word("reason", unknown.reason);
  reader.integer("httpStatus", unknown.http_status);
}

bool read_attempt(const json::value& value, Attempt& attempt) {
  const json::object* object = value.if_object();
  if (object == nullptr) return false;
  const auto outcome = detail::as_string(detail::field(&value, "outcome"));
  if (outcome == to_string(RecordState::accepted)) {
    attempt.outcome = Attempt::Accepted{};
  } else if (outcome == to_string(RecordState::rejected)) {
    attempt.outcome = Attempt::Rejected{};
  } else if (outcome == to_string(RecordState::unknown)) {
    attempt.outcome = Attempt::Unknown{};
  } else {
    return false;
  }
  ObjectReader reader(*object, attempt.foreign);
  reader.constant("outcome", *outcome);
  reader.text("provider", attempt.provider);
  reader.integer("attempt", attempt.attempt);
  std::visit([&](auto& what) { read_outcome(reader, what); }, attempt.outcome);
  reader.milliseconds("durationMs", attempt.duration);
  reader.keep_the_rest();
  return true;
}

// False when the text must be kept, because some attempt is of a kind that we do not know; what is known is read all
// the same.
bool read_attempts(const json::value& value, std::vector<Attempt>& attempts) {
  const json::array* list = value.if_array();
  if (list == nullptr) return false;
  bool understood = true;
  for (const json::value& item : *list) {
    Attempt attempt;
    if (read_attempt(item, attempt)) {
      attempts.push_back(std::move(attempt));
    } else {
      understood = false;
    }
  }
  return understood;
}

bool read_texts(const json::value& value, std::vector<std::string>& texts) {
  const json::array* list = value.if_array();
  if (list == nullptr) return false;
  bool understood = true;
  for (const json::value& item : *list) {
    const auto text = detail::as_string(&item);
    if (text) texts.emplace_back(*text);
    understood = understood && text;
  }
  return understood;
}

bool read_details(const json::value& value, std::optional<ProviderDetails>& target) {
  const json::object* object = value.if_object();
  if (object == nullptr) return false;
  ProviderDetails details;
  ObjectReader reader(*object, details.foreign);
  reader.text("provider", details.provider);
  reader.integer("httpStatus", details.http_status);
  reader.text("code", details.code);
  reader.text("message", details.message);
  reader.text("requestId", details.request_id);
  reader.keep_the_rest();
  target = std::move(details);
  return true;
}

bool read_result(const json::value& value, SendResult& result) {
  const json::object* object = value.if_object();
  if (object == nullptr) return false;
  ObjectReader reader(*object, result.foreign);
  const bool named = reader.text("id", result.id) && reader.text("provider", result.provider) &&
                     reader.text("providerId", result.provider_id);
  if (!named) return false;
  reader.constant("handoff", to_string(RecordState::accepted));
  reader.word("delivery", result.delivery);
  reader.word("encoding", result.encoding);
  reader.integer("segments", result.segments);
  reader.field("attemptedProviders",
               [&](const json::value& list) { return read_texts(list, result.attempted_providers); });
  reader.field("attempts", [&](const json::value& list) { return read_attempts(list, result.attempts); });
  reader.flag("replayed", result.replayed);
  reader.keep_the_rest();
  return true;
}

bool read_error(const json::value& value, SerializedError& error) {
  const json::object* object = value.if_object();
  if (object == nullptr) return false;
  ObjectReader reader(*object, error.foreign);
  if (!reader.text("name", error.name) || !reader.text("code", error.code)) return false;
  reader.text("message", error.message);
  reader.flag("retrySafe", error.retry_safe);
  reader.field("attempts", [&](const json::value& list) { return read_attempts(list, error.attempts); });
  reader.field("provider", [&](const json::value& details) { return read_details(details, error.provider); });
  reader.keep_the_rest();
  return true;
}

bool read_mark(const json::value& value, std::optional<PostingMark>& target) {
  const json::object* object = value.if_object();
  if (object == nullptr) return false;
  PostingMark mark;
  ForeignFields foreign;
  ObjectReader reader(*object, foreign);
  const bool whole = reader.text("provider", mark.provider) && reader.integer("attempt", mark.attempt) &&
                     reader.milliseconds("at", mark.at);
  reader.keep_the_rest();
  if (!whole || !foreign.empty()) return false;
  target = std::move(mark);
  return true;
}

bool read_fields(ObjectReader& reader, ReservedRecord& record) {
  reader.field("posting", [&](const json::value& mark) { return read_mark(mark, record.posting); });
  return reader.text("reservationId", record.reservation_id) && reader.milliseconds("reservedAt", record.reserved_at);
}

bool read_fields(ObjectReader& reader, AcceptedRecord& record) {
  return reader.field("result", [&](const json::value& result) { return read_result(result, record.result); });
}

bool read_fields(ObjectReader& reader, RejectedRecord& record) {
  return reader.field("error", [&](const json::value& error) { return read_error(error, record.error); });
}

bool read_fields(ObjectReader& reader, UnknownRecord& record) {
  return reader.field("error", [&](const json::value& error) { return read_error(error, record.error); });
}

IdempotencyRecord empty_record(RecordState state) {
  switch (state) {
    case RecordState::reserved:
      return ReservedRecord{};
    case RecordState::accepted:
      return AcceptedRecord{};
    case RecordState::rejected:
      return RejectedRecord{};
    case RecordState::unknown:
      break;
  }
  return UnknownRecord{};
}

std::optional<IdempotencyRecord> read_record(const json::value& value) {
  const json::object* object = value.if_object();
  const auto state = detail::as_string(detail::field(&value, "state"));
  const auto known = detail::from_word<RecordState>(state.value_or(""));
  if (object == nullptr || !known) return std::nullopt;
  IdempotencyRecord any = empty_record(*known);
  const bool whole = std::visit(
      [&](auto& record) {
        ObjectReader reader(*object, record.foreign);
        reader.constant("state", *state);
        if (!reader.text("fingerprint", record.fingerprint) || !read_fields(reader, record)) return false;
        reader.keep_the_rest();
        return true;
      },
      any);
  if (!whole) return std::nullopt;
  return any;
}

}  // namespace

Expected<IdempotencyRecord> parse_record(std::string_view text) {
  if (const auto value = detail::parse_json(text)) {
    if (auto record = read_record(*value)) return std::move(*record);
  }
  return StoreUnavailableError("get", "the stored record cannot be read");
}

}  // namespace sms
