#pragma once

#include "core/json_text.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace sms::detail {

/// The body of a request about items of one table. In expressions every attribute is written `#name` and every value
/// `:name`, so that no word of ours is one that DynamoDB keeps for itself.
class ItemRequest {
 public:
  explicit ItemRequest(std::string table) : table_(std::move(table)) {}

  ItemRequest& key(std::string_view key);
  ItemRequest& condition(std::string_view expression) { return expression_of("ConditionExpression", expression); }
  ItemRequest& update(std::string_view expression) { return expression_of("UpdateExpression", expression); }
  ItemRequest& filter(std::string_view expression) { return expression_of("FilterExpression", expression); }
  ItemRequest& text(const std::string& name, std::string_view value);
  ItemRequest& number(const std::string& name, std::int64_t value);
  /// Another member of the body, its value as JSON.
  ItemRequest& member(const std::string& name, std::string json);

  std::string to_json() const;

 private:
  ItemRequest& expression_of(const std::string& member, std::string_view expression);

  std::string table_;
  std::map<std::string, std::string> members_;  ///< As JSON.
  std::set<std::string> names_;
  std::map<std::string, std::string> values_;  ///< As JSON.
};

}  // namespace sms::detail
