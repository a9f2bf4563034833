#include "core/stored_row.hpp"

#include <sms/error.hpp>

#include "core/json_text.hpp"
#include "core/operator_rules.hpp"
#include "core/sha256.hpp"
#include "core/words.hpp"

#include <algorithm>

namespace sms::detail {
namespace {

using std::chrono::milliseconds;

[[noreturn]] void unreadable() { throw StoreUnavailableError("get", "the stored record of this key cannot be read"); }

IdempotencyRecord parse(const std::string& json, RecordState state) {
  auto parsed = parse_record(json);
  if (!parsed || state_of(*parsed) != state) unreadable();
  return *std::move(parsed);
}

}  // namespace

std::optional<WallTime> StoredRow::expiry() const {
  return state == RecordState::accepted || state == RecordState::rejected ? expires_at : std::nullopt;
}

RecordState parse_state(std::string_view word) {
  const auto state = from_word<RecordState>(word);
  if (!state) unreadable();
  return *state;
}

IdempotencyRecord record_of(const StoredRow& row) {
  if (row.state != RecordState::reserved) {
    if (!row.record) unreadable();
    return parse(*row.record, row.state);
  }
  ReservedRecord reserved;
  reserved.fingerprint = row.fingerprint;
  reserved.reservation_id = row.reservation_id.value_or(std::string());
  reserved.reserved_at = row.reserved_at.value_or(WallTime());
  if (!row.record) return reserved;
  std::string whole = to_json(IdempotencyRecord(reserved));
  if (!row.record->starts_with('{')) unreadable();
  whole.back() = ',';
  return parse(whole + row.record->substr(1), row.state);
}

milliseconds age_of(const StoredRow& row, WallTime now) {
  const auto since = row.since();
  return since ? std::max(now - *since, milliseconds(0)) : milliseconds(0);
}

std::string token_of(const StoredRow& row, const std::optional<std::string>& version) {
  std::string all;
  const auto add = [&all](const std::optional<std::string>& text) {
    all += text ? json_string(*text) : "null";
    all += ',';
  };
  const auto add_time = [&](std::optional<WallTime> time) {
    add(time ? std::optional(std::to_string(in_ms(*time))) : std::nullopt);
  };
  add(row.key);
  add(row.fingerprint);
  add(std::string(to_string(row.state)));
  add(row.reservation_id);
  add_time(row.reserved_at);
  add(row.record);
  add_time(row.expires_at);
  add_time(row.updated_at);
  add(version);
  return sha256_hex(all).substr(0, 32);
}

KeyView view_of(const StoredRow& row, const std::optional<std::string>& version, milliseconds age,
                milliseconds stale_after) {
  KeyView view;
  view.key = row.key;
  view.record = record_of(row);
  view.token = token_of(row, version);
  view.reservation_id = row.reservation_id;
  view.since = row.since();
  view.expires_at = row.expiry();
  view.age = age;
  view.malformed = row.malformed();
  view.stale = view.malformed || (row.state == RecordState::reserved && age > stale_after);
  view.open_since = open_since(view, stale_after);
  return view;
}

std::string mark_json(const PostingMark& posting) {
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("posting").begin_object();
  json.key("provider").string(posting.provider).key("attempt").number(std::int64_t{posting.attempt});
  json.key("at").number(in_ms(posting.at)).end_object().end_object();
  return text;
}

}  // namespace sms::detail
