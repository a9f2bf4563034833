#pragma once

#include <boost/json.hpp>

#include <stdexcept>
#include <string>

namespace sms::tests {

/// What a server answers as `ValidationException`.
class InvalidExpression : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Evaluates DynamoDB's expressions, as far as: `AND`, `OR`, `NOT`, parentheses, the six comparisons, `IN`,
/// `attribute_exists`, `attribute_not_exists`, `begins_with`; `SET` with `+`, `-` and `if_not_exists`; `REMOVE`. Only
/// top level attributes, each written `#name`: words that DynamoDB keeps for itself cannot slip in.
/// (docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.html)
class DynamoExpressions {
 public:
  /// `request` must outlive it: its names and values are used.
  explicit DynamoExpressions(const boost::json::object& request);

  bool holds(const std::string& condition, const boost::json::object& item);
  /// Changes the item.
  void update(const std::string& expression, boost::json::object& item);
  /// As DynamoDB: a name or value that no expression of the request has used is an error.
  void check_all_used() const;

 private:
  class Parser;

  boost::json::object names_, values_;
  boost::json::object used_;
};

}  // namespace sms::tests
