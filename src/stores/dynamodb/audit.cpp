#include "stores/dynamodb/audit.hpp"

#include <sms/entropy.hpp>

#include "core/operator_rules.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace sms::detail {
namespace {

using std::chrono::milliseconds;

std::string text_of(const boost::json::value& row, std::string_view name) {
  return std::string(as_string(field(&row, name)).value_or(""));
}

AuditRow row_of_audit(const boost::json::value& row) {
  const auto at = as_integer(field(&row, "at")).value_or(0);
  return {WallTime(milliseconds(at)), text_of(row, "key"), text_of(row, "who"),
          text_of(row, "action"),     text_of(row, "why"), text_of(row, "before")};
}

/// Sorted by time.
std::string key_of_audit(const boost::json::value& row) {
  auto at = std::to_string(as_integer(field(&row, "at")).value_or(0));
  constexpr std::size_t digits = 15;
  at.insert(0, digits > at.size() ? digits - at.size() : 0, '0');
  return at + "/" + text_of(row, "id");
}

}  // namespace

std::string DynamoAudit::json_of(const AuditRow& row) {
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("id").string(message_id_of(std::nullopt)).key("at").number(in_ms(row.at));
  json.key("key").string(row.key).key("who").string(row.who).key("action").string(row.action);
  json.key("why").string(row.why).key("before").string(row.before).end_object();
  return text;
}

Task<void> DynamoAudit::copy(std::string json, Operation& operation) {
  const auto row = parse_json(json);
  if (!row) co_return;
  auto write = table_.request();
  write.key(reserved_prefix() + "audit/" + key_of_audit(*row)).update("SET #audit = :audit").text(":audit", json);
  co_await api_.call("UpdateItem", write.to_json(), operation);
}

Task<std::vector<AuditRow>> DynamoAudit::read(std::size_t limit, std::optional<std::string> key,
                                              milliseconds time_of_a_page, Operation& operation) {
  auto request = table_.request();
  request.filter("attribute_exists(#audit)");
  std::map<std::string, AuditRow> found;
  co_await scan(api_, std::move(request), time_of_a_page, operation, [&](const boost::json::value& item) {
    const auto json = text_attribute(item, "audit");
    const auto row = json ? parse_json(*json) : std::nullopt;
    if (row && (!key || text_of(*row, "key") == *key)) found.emplace(key_of_audit(*row), row_of_audit(*row));
  });
  std::vector<AuditRow> rows;
  for (auto row = found.rbegin(); row != found.rend() && rows.size() < limit; ++row) rows.push_back(row->second);
  co_return rows;
}

Task<void> scan(DynamoApi& api, ItemRequest request, milliseconds time_of_a_page, Operation& operation,
                std::function<void(const boost::json::value& item)> each) {
  request.member("ConsistentRead", "true");
  for (;;) {
    operation.extend(api.clock().boot_time() + time_of_a_page);
    const auto answer = co_await api.call("Scan", request.to_json(), operation);
    const auto* items = field(&answer.body, "Items");
    if (items == nullptr || !items->is_array())
      throw operation.error("an answer came that belongs to another question");
    for (const auto& item : items->get_array()) each(item);
    const auto* next = field(&answer.body, "LastEvaluatedKey");
    if (next == nullptr) co_return;
    std::string from;
    append_json(from, *next);
    request.member("ExclusiveStartKey", from);
  }
}

}  // namespace sms::detail
