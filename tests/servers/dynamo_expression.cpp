#include "servers/dynamo_expression.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace sms::tests {
namespace {

namespace json = boost::json;

std::string text(const json::value& value) { return std::string(value.as_string()); }

/// `{"N":"5"}` as its type and its value.
std::pair<std::string, std::string> typed(const json::value& attribute) {
  const auto& object = attribute.as_object();
  if (object.size() != 1 || !object.begin()->value().is_string()) throw InvalidExpression("a value of an unknown type");
  return {std::string(object.begin()->key()), text(object.begin()->value())};
}

/// Less than, equal to or greater than zero; nothing for values that cannot be compared.
std::optional<int> compare(const std::optional<json::value>& left, const std::optional<json::value>& right) {
  if (!left || !right) return std::nullopt;
  const auto [left_type, a] = typed(*left);
  const auto [right_type, b] = typed(*right);
  if (left_type != right_type) return std::nullopt;
  if (left_type != "N") return a < b ? -1 : (a == b ? 0 : 1);
  const long double x = std::stold(a), y = std::stold(b);
  return x < y ? -1 : (x == y ? 0 : 1);
}

std::vector<std::string> words_of(const std::string& expression) {
  std::vector<std::string> words;
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t i = 0; i < expression.size();) {
    const char c = expression[i];
    std::size_t length = 1;
    if (c == ' ') {
      ++i;
      continue;
    }
    if (is_word(c) || c == '#' || c == ':') {
      while (i + length < expression.size() && is_word(expression[i + length])) ++length;
    } else if (const auto two = expression.substr(i, 2); two == "<>" || two == "<=" || two == ">=") {
      length = 2;
    }
    words.push_back(expression.substr(i, length));
    i += length;
  }
  return words;
}

}  // namespace

class DynamoExpressions::Parser {
 public:
  using Value = std::optional<json::value>;

  Parser(DynamoExpressions& all, const std::string& expression, const json::object& item)
      : all_(all), words_(words_of(expression)), item_(item) {}

  bool whole_condition() {
    const bool result = either();
    if (at_ != words_.size()) fail();
    return result;
  }

  void whole_update(json::object& changed) {
    std::set<std::string> touched;
    const auto target = [&] {
      auto name = attribute();
      if (name == "key") throw InvalidExpression("the key cannot be changed");
      if (!touched.insert(name).second) throw InvalidExpression("two paths of the update are the same");
      return name;
    };
    while (at_ < words_.size()) {
      if (take("SET")) {
        do {
          auto name = target();
          expect("=");
          changed[name] = sum();
        } while (take(","));
      } else if (take("REMOVE")) {
        do {
          changed.erase(target());
        } while (take(","));
      } else {
        fail();
      }
    }
  }

 private:
  [[noreturn]] static void fail() { throw InvalidExpression("an expression cannot be read"); }
  bool take(std::string_view word) {
    if (at_ >= words_.size() || words_[at_] != word) return false;
    ++at_;
    return true;
  }
  void expect(std::string_view word) {
    if (!take(word)) fail();
  }

  bool either() {
    bool result = both();
    while (take("OR")) result = both() || result;
    return result;
  }
  bool both() {
    bool result = one();
    while (take("AND")) result = one() && result;
    return result;
  }
  bool one() {
    if (take("NOT")) return !one();
    if (take("(")) {
      const bool result = either();
      expect(")");
      return result;
    }
    if (take("attribute_exists")) return in_parentheses([&] { return item_.contains(attribute()); });
    if (take("attribute_not_exists")) return in_parentheses([&] { return !item_.contains(attribute()); });
    if (take("begins_with")) {
      return in_parentheses([&] {
        const auto whole = operand();
        expect(",");
        const auto part = operand();
        return whole && part && typed(*whole).second.starts_with(typed(*part).second);
      });
    }
    return comparison();
  }
  bool comparison() {
    const auto left = operand();
    if (take("IN")) {
      return in_parentheses([&] {
        bool found = false;
        do {
          found = compare(left, operand()) == 0 || found;
        } while (take(","));
        return found;
      });
    }
    if (at_ >= words_.size()) fail();
    const auto sign = words_[at_++];
    const auto order = compare(left, operand());
    if (!order) return false;
    if (sign == "=") return *order == 0;
    if (sign == "<>") return *order != 0;
    if (sign == "<") return *order < 0;
    if (sign == "<=") return *order <= 0;
    if (sign == ">") return *order > 0;
    if (sign == ">=") return *order >= 0;
    fail();
  }
  template <class Inside>
  bool in_parentheses(Inside inside) {
    expect("(");
    const bool result = inside();
    expect(")");
    return result;
  }

  json::value sum() {
    auto left = present(operand());
    const bool plus = take("+");
    if (!plus && !take("-")) return left;
    const auto right = present(operand());
    if (typed(left).first != "N" || typed(right).first != "N") throw InvalidExpression("a sum of what is no number");
    const auto a = std::stoll(typed(left).second), b = std::stoll(typed(right).second);
    return {{"N", std::to_string(plus ? a + b : a - b)}};
  }
  static json::value present(Value value) {
    if (!value) throw InvalidExpression("an attribute of the update is not there");
    return *std::move(value);
  }
  Value operand() {
    if (take("if_not_exists")) {
      expect("(");
      const auto name = attribute();
      expect(",");
      auto otherwise = operand();
      expect(")");
      return item_.contains(name) ? Value(item_.at(name)) : otherwise;
    }
    if (at_ >= words_.size()) fail();
    if (words_[at_].starts_with(':')) {
      const auto& name = words_[at_++];
      all_.used_[name] = true;
      if (!all_.values_.contains(name)) throw InvalidExpression("a value is not defined");
      return all_.values_.at(name);
    }
    const auto name = attribute();
    return item_.contains(name) ? Value(item_.at(name)) : std::nullopt;
  }
  std::string attribute() {
    if (at_ >= words_.size() || !words_[at_].starts_with('#')) fail();
    const auto& name = words_[at_++];
    all_.used_[name] = true;
    if (!all_.names_.contains(name)) throw InvalidExpression("a name is not defined");
    return text(all_.names_.at(name));
  }

  DynamoExpressions& all_;
  std::vector<std::string> words_;
  const json::object& item_;
  std::size_t at_ = 0;
};

DynamoExpressions::DynamoExpressions(const boost::json::object& request) {
  if (const auto* names = request.if_contains("ExpressionAttributeNames")) names_ = names->as_object();
  if (const auto* values = request.if_contains("ExpressionAttributeValues")) values_ = values->as_object();
}

bool DynamoExpressions::holds(const std::string& condition, const boost::json::object& item) {
  return Parser(*this, condition, item).whole_condition();
}

void DynamoExpressions::update(const std::string& expression, boost::json::object& item) {
  const auto before = item;
  Parser(*this, expression, before).whole_update(item);
}

void DynamoExpressions::check_all_used() const {
  for (const auto* defined : {&names_, &values_}) {
    for (const auto& [name, value] : *defined) {
      if (!used_.contains(name))
        throw InvalidExpression("a name or value is defined and not used: " + std::string(name));
    }
  }
}

}  // namespace sms::tests
