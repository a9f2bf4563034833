#include "core/record_writing.hpp"

#include <sms/error.hpp>
#include <sms/idempotency.hpp>

namespace sms {
namespace detail {
namespace {

void write_outcome(RecordObject& object, const Attempt::Accepted& accepted) {
  object.text("outcome", "accepted");
  object.text("providerId", accepted.provider_id);
  object.text("delivery", to_string(accepted.delivery));
}

void write_outcome(RecordObject& object, const Attempt::Rejected& rejected) {
  object.text("outcome", "rejected");
  object.text("category", to_string(rejected.category));
  object.number_if("httpStatus", rejected.http_status);
  object.text_if("providerCode", rejected.provider_code);
  object.field_if("retryAfterMs", rejected.retry_after,
                  [](JsonWriter& json, std::chrono::milliseconds wait) { json.number(std::int64_t{wait.count()}); });
}

void write_outcome(RecordObject& object, const Attempt::Unknown& unknown) {
  object.text("outcome", "unknown");
  object.text("reason", to_string(unknown.reason));
  object.number_if("httpStatus", unknown.http_status);
}

void write_attempts(JsonWriter& json, const std::vector<Attempt>& attempts) {
  json.begin_array();
  for (const Attempt& attempt : attempts) {
    RecordObject object(json, attempt.foreign);
    object.text("provider", attempt.provider).number("attempt", attempt.attempt);
    std::visit([&](const auto& outcome) { write_outcome(object, outcome); }, attempt.outcome);
    object.number("durationMs", attempt.duration.count()).end();
  }
  json.end_array();
}

void write_details(JsonWriter& json, const ProviderDetails& details) {
  RecordObject object(json, details.foreign);
  object.text("provider", details.provider).number_if("httpStatus", details.http_status);
  object.text_if("code", details.code)
      .text_if("message", details.message)
      .text_if("requestId", details.request_id)
      .end();
}

void write_error(JsonWriter& json, const SerializedError& error) {
  RecordObject object(json, error.foreign);
  object.text("name", error.name).text("code", error.code).text("message", error.message);
  object.flag("retrySafe", error.retry_safe);
  object.field("attempts", [&](JsonWriter& inner) { write_attempts(inner, error.attempts); });
  object.field_if("provider", error.provider, write_details).end();
}

void write_result(JsonWriter& json, const SendResult& result) {
  RecordObject object(json, result.foreign);
  object.text("id", result.id).text("provider", result.provider).text("providerId", result.provider_id);
  object.text("handoff", "accepted").text("delivery", to_string(result.delivery));
  object.text("encoding", to_string(result.encoding)).number("segments", result.segments);
  object.field("attemptedProviders", [&](JsonWriter& inner) {
    inner.begin_array();
    for (const std::string& provider : result.attempted_providers) inner.string(provider);
    inner.end_array();
  });
  object.field("attempts", [&](JsonWriter& inner) { write_attempts(inner, result.attempts); });
  object.flag("replayed", result.replayed).end();
}

void write_mark(JsonWriter& json, const PostingMark& mark) {
  json.begin_object().key("provider").string(mark.provider);
  json.key("attempt").number(std::int64_t{mark.attempt});
  json.key("at").number(std::int64_t{mark.at.time_since_epoch().count()}).end_object();
}

RecordObject begin_record(JsonWriter& json, RecordState state, const std::string& fingerprint,
                          const ForeignFields& foreign) {
  RecordObject object(json, foreign);
  object.text("state", to_string(state)).text("fingerprint", fingerprint);
  return object;
}

void write_record(JsonWriter& json, const ReservedRecord& record) {
  RecordObject object = begin_record(json, RecordState::reserved, record.fingerprint, record.foreign);
  object.text("reservationId", record.reservation_id);
  object.number("reservedAt", record.reserved_at.time_since_epoch().count());
  object.field_if("posting", record.posting, write_mark).end();
}

void write_record(JsonWriter& json, const AcceptedRecord& record) {
  RecordObject object = begin_record(json, RecordState::accepted, record.fingerprint, record.foreign);
  object.field("result", [&](JsonWriter& inner) { write_result(inner, record.result); }).end();
}

void write_record(JsonWriter& json, const RejectedRecord& record) {
  RecordObject object = begin_record(json, RecordState::rejected, record.fingerprint, record.foreign);
  object.field("error", [&](JsonWriter& inner) { write_error(inner, record.error); }).end();
}

void write_record(JsonWriter& json, const UnknownRecord& record) {
  RecordObject object = begin_record(json, RecordState::unknown, record.fingerprint, record.foreign);
  object.field("error", [&](JsonWriter& inner) { write_error(inner, record.error); }).end();
}

template <class Record>
std::string record_json(const Record& any) {
  std::string out;
  out.reserve(512);
  JsonWriter json(out);
  std::visit([&](const auto& record) { write_record(json, record); }, any);
  return out;
}

}  // namespace
}  // namespace detail

std::string SendResult::to_json() const {
  std::string out;
  detail::JsonWriter json(out);
  detail::write_result(json, *this);
  return out;
}

std::string SerializedError::to_json() const {
  std::string out;
  detail::JsonWriter json(out);
  detail::write_error(json, *this);
  return out;
}

std::string to_json(const IdempotencyRecord& record) { return detail::record_json(record); }
std::string to_json(const FinalIdempotencyRecord& record) { return detail::record_json(record); }

}  // namespace sms
