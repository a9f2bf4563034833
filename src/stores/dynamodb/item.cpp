#include "stores/dynamodb/item.hpp"

#include <sms/error.hpp>

#include "core/store_rules.hpp"

#include <charconv>
#include <chrono>

namespace sms::detail {
namespace {

using std::chrono::milliseconds;

std::optional<WallTime> time_attribute(const boost::json::value& item, std::string_view name) {
  const auto ms = number_attribute(item, name);
  return ms ? std::optional(WallTime(milliseconds(*ms))) : std::nullopt;
}

bool has(const boost::json::value& item, std::string_view name) { return field(&item, name) != nullptr; }

[[noreturn]] void unreadable() { throw StoreUnavailableError("get", "the stored record of this key cannot be read"); }

}  // namespace

const std::string& reserved_prefix() {
  static const std::string prefix = std::string(256, '.') + "sms-sdk/";
  return prefix;
}

std::optional<std::string> text_attribute(const boost::json::value& item, std::string_view name) {
  const auto text = as_string(field(field(&item, name), "S"));
  return text ? std::optional(std::string(*text)) : std::nullopt;
}

std::optional<std::int64_t> number_attribute(const boost::json::value& item, std::string_view name) {
  const auto text = as_string(field(field(&item, name), "N"));
  if (!text) return std::nullopt;
  std::int64_t number = 0;
  const auto [end, fault] = std::from_chars(text->data(), text->data() + text->size(), number);
  return fault == std::errc() && end == text->data() + text->size() ? std::optional(number) : std::nullopt;
}

DynamoRow row_of(const boost::json::value& item) {
  DynamoRow row;
  const auto key = text_attribute(item, "key");
  if (!key) unreadable();
  row.row.key = *key;
  row.audit = text_attribute(item, "audit");
  row.released = has(item, "released_at") && !has(item, "state");
  row.row.updated_at = time_attribute(item, "updated_at");
  if (row.released) return row;
  const auto state = text_attribute(item, "state");
  const auto fingerprint = text_attribute(item, "fingerprint");
  if (!state || !fingerprint) unreadable();
  row.row.fingerprint = *fingerprint;
  row.row.state = parse_state(*state);
  row.row.reservation_id = text_attribute(item, "reservation_id");
  row.row.reserved_at = time_attribute(item, "reserved_at");
  row.row.record = text_attribute(item, "record");
  row.row.expires_at = time_attribute(item, "expires_at");
  return row;
}

FinalValues final_values(const FinalizeRequest& request) {
  FinalValues values;
  values.fingerprint = fingerprint_of(request.record);
  values.state = to_string(state_of(request.record));
  values.reservation_id = request.reservation_id;
  values.record = to_json(request.record);
  values.expires_at = expiry_of(request);
  values.at = request.now;
  const auto* accepted = std::get_if<AcceptedRecord>(&request.record);
  if (accepted != nullptr && !accepted->result.provider_id.empty()) values.provider_id = accepted->result.provider_id;
  return values;
}

void write_final(ItemRequest& request, const FinalValues& values, std::string_view more) {
  std::string set =
      "SET #fingerprint = :new_fingerprint, #state = :new_state, #record = :new_record, #updated_at = :new_at";
  std::string remove = " REMOVE #reserved_at, #released_at";
  request.text(":new_fingerprint", values.fingerprint).text(":new_state", values.state);
  request.text(":new_record", values.record).number(":new_at", in_ms(values.at));
  const auto set_if = [&](bool there, std::string_view name) {
    (there ? set : remove).append(", #").append(name).append(there ? " = :new_" : "").append(there ? name : "");
  };
  set_if(!values.reservation_id.empty(), "reservation_id");
  if (!values.reservation_id.empty()) request.text(":new_reservation_id", values.reservation_id);
  set_if(values.provider_id.has_value(), "provider_id");
  if (values.provider_id) request.text(":new_provider_id", *values.provider_id);
  set_if(values.expires_at.has_value(), "expires_at");
  set_if(values.expires_at.has_value(), "ttl");
  if (values.expires_at) {
    request.number(":new_expires_at", in_ms(*values.expires_at));
    request.number(":new_ttl", std::chrono::ceil<std::chrono::seconds>(values.expires_at->time_since_epoch()).count());
  }
  request.update(set + std::string(more) + remove);
}

void unless_changed(ItemRequest& request, const DynamoRow* seen) {
  if (seen == nullptr) {
    request.condition("attribute_not_exists(#key)");
    return;
  }
  std::string condition;
  const auto same = [&](std::string_view name, bool there) {
    condition.append(condition.empty() ? "" : " AND ");
    if (there) {
      condition.append("#").append(name).append(" = :old_").append(name);
    } else {
      condition.append("attribute_not_exists(#").append(name).append(")");
    }
    return there;
  };
  const auto same_text = [&](std::string_view name, const std::optional<std::string>& value) {
    if (same(name, value.has_value())) request.text(":old_" + std::string(name), *value);
  };
  const auto same_time = [&](std::string_view name, std::optional<WallTime> value) {
    if (same(name, value.has_value())) request.number(":old_" + std::string(name), in_ms(*value));
  };
  const auto& row = seen->row;
  const auto unless_released = [&](std::string value) {
    return seen->released ? std::nullopt : std::optional(std::move(value));
  };
  same_text("key", row.key);
  same_text("state", unless_released(std::string(to_string(row.state))));
  same_text("fingerprint", unless_released(row.fingerprint));
  same_text("reservation_id", row.reservation_id);
  same_text("record", row.record);
  same_time("reserved_at", row.reserved_at);
  same_time("expires_at", row.expires_at);
  same_time("updated_at", row.updated_at);
  request.condition(condition);
}

}  // namespace sms::detail
