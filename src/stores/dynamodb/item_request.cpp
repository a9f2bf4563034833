#include "stores/dynamodb/item_request.hpp"

#include <utility>

namespace sms::detail {
namespace {

std::string typed(std::string_view type, std::string_view value) {
  std::string json;
  JsonWriter(json).begin_object().key(type).string(value).end_object();
  return json;
}

}  // namespace

ItemRequest& ItemRequest::key(std::string_view key) {
  std::string json;
  JsonWriter(json).begin_object().key("key").raw(typed("S", key)).end_object();
  return member("Key", std::move(json));
}

ItemRequest& ItemRequest::text(const std::string& name, std::string_view value) {
  values_[name] = typed("S", value);
  return *this;
}

ItemRequest& ItemRequest::number(const std::string& name, std::int64_t value) {
  values_[name] = typed("N", std::to_string(value));
  return *this;
}

ItemRequest& ItemRequest::member(const std::string& name, std::string json) {
  members_[name] = std::move(json);
  return *this;
}

ItemRequest& ItemRequest::expression_of(const std::string& member, std::string_view expression) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz_";
  for (auto at = expression.find('#'); at != std::string_view::npos; at = expression.find('#', at + 1)) {
    const auto end = expression.find_first_not_of(letters, at + 1);
    names_.emplace(expression.substr(at + 1, end == std::string_view::npos ? end : end - at - 1));
  }
  return this->member(member, json_string(expression));
}

std::string ItemRequest::to_json() const {
  std::string body;
  JsonWriter json(body);
  json.begin_object().key("TableName").string(table_);
  for (const auto& [name, value] : members_) json.key(name).raw(value);
  if (!names_.empty()) {
    json.key("ExpressionAttributeNames").begin_object();
    for (const auto& name : names_) json.key("#" + name).string(name);
    json.end_object();
  }
  if (!values_.empty()) {
    json.key("ExpressionAttributeValues").begin_object();
    for (const auto& [name, value] : values_) json.key(name).raw(value);
    json.end_object();
  }
  json.end_object();
  return body;
}

}  // namespace sms::detail
