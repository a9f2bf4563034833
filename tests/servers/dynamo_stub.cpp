#include "servers/dynamo_stub.hpp"

#include "servers/dynamo_expression.hpp"
#include "servers/dynamo_signature.hpp"

#include <algorithm>
#include <cctype>
#include <ctime>
#include <sstream>
#include <thread>
#include <utility>

namespace sms::tests {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;
using Clock = std::chrono::system_clock;
using Kind = DynamoFault::Kind;

constexpr auto longest_skew = 5min;

std::string text(const json::value& value) { return std::string(value.as_string()); }

std::string text_in(const json::object& object, std::string_view name) {
  const auto* value = object.if_contains(name);
  return value != nullptr && value->is_string() ? text(*value) : "";
}

std::string key_of(const json::object& request) { return text(request.at("Key").at("key").at("S")); }

std::string http_date(Clock::time_point at) {
  const auto seconds = Clock::to_time_t(at);
  std::tm time{};
  gmtime_r(&seconds, &time);
  char date[64];
  std::strftime(date, sizeof date, "%a, %d %b %Y %H:%M:%S GMT", &time);
  return date;
}

/// First line and headers (names in lower case).
std::pair<std::string, std::map<std::string, std::string>> parsed(const std::string& head) {
  std::istringstream lines(head);
  std::string first;
  std::getline(lines, first);
  std::map<std::string, std::string> headers;
  for (std::string line; std::getline(lines, line);) {
    if (line.ends_with('\r')) line.pop_back();
    const auto colon = line.find(':');
    if (colon == std::string::npos) continue;
    auto name = line.substr(0, colon);
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const auto value = line.find_first_not_of(' ', colon + 1);
    headers[name] = value == std::string::npos ? "" : line.substr(value);
  }
  return {first, headers};
}

json::object error_body(const std::string& type, const std::string& message) {
  return {{"__type", "com.amazonaws.dynamodb.v20120810#" + type}, {"message", message}};
}

}  // namespace

DynamoStub::DynamoStub(DynamoStubOptions options)
    : options_(std::move(options)),
      server_(ScriptedServer::Mode::http, [this](const SeenRequest& request) { return react(request); }) {
  server_.keep_requests(false);
}

Clock::time_point DynamoStub::now() const { return Clock::now() + skew_.load(); }

Reaction DynamoStub::react(const SeenRequest& request) {
  const auto [first, headers] = parsed(request.head);
  std::istringstream words(first);
  std::string method, path;
  words >> method >> path;
  if (path.starts_with("/_stub/")) return control(method, path.substr(7), request.body);

  const auto target = headers.contains("x-amz-target") ? headers.at("x-amz-target") : "";
  const auto action = target.substr(target.find('.') + 1);
  count(action, false);
  const auto fault = faults_.meet(action, request.body);
  const auto is = [&](Kind kind) { return fault && fault->kind == kind; };
  if (is(Kind::cut)) return {"", Reaction::End::fin};
  if (is(Kind::throttle)) {
    return answer({400, error_body("ProvisionedThroughputExceededException", "throttled by the test")});
  }
  if (is(Kind::error)) return answer({fault->status, error_body(fault->error, "refused by the test")});
  if (const auto refused = refuse_signature(request)) return answer(*refused);
  if (is(Kind::delay_execution)) std::this_thread::sleep_for(fault->delay);

  Answer executed;
  try {
    const auto body = json::parse(request.body);
    const std::lock_guard lock(mutex_);
    executed = execute(action, body.as_object(), options_.says_item && !is(Kind::hide_item));
  } catch (const std::exception& error) {
    executed = {400, error_body("ValidationException", error.what())};
  }
  count(action, true);
  if (is(Kind::lose_answer)) return {"", Reaction::End::fin};
  auto reaction = answer(executed);
  if (is(Kind::delay_answer)) reaction.delay = fault->delay;
  return reaction;
}

Reaction DynamoStub::answer(const Answer& answer, Reaction::End end) const {
  return {http_answer(answer.status, json::serialize(answer.body), "Date: " + http_date(now()) + "\r\n"), end};
}

std::optional<DynamoStub::Answer> DynamoStub::refuse_signature(const SeenRequest& request) const {
  const auto [first, headers] = parsed(request.head);
  const auto header = [&headers = headers](const std::string& name) {
    const auto at = headers.find(name);
    return at == headers.end() ? std::string() : at->second;
  };
  const auto refuse = [](const std::string& type, const std::string& message) {
    return Answer{400, error_body(type, message)};
  };
  std::string id, secret, token;
  {
    const std::lock_guard lock(mutex_);
    id = options_.access_key_id;
    secret = options_.secret_access_key;
    token = options_.session_token;
  }
  if (header("x-amz-security-token") != token) return refuse("ExpiredTokenException", "another token is expected");
  const auto skew = now() - time_of_amz_date(header("x-amz-date"));
  if (skew > longest_skew || skew < -longest_skew) return refuse("InvalidSignatureException", "Signature expired");
  const auto given = header("authorization");
  if (given.find("Credential=" + id + "/") == std::string::npos) {
    return refuse("UnrecognizedClientException", "the access key is not known");
  }
  if (given != expected_authorization(headers, request.body, given, id, secret, options_.region)) {
    return refuse("InvalidSignatureException", "the signature is wrong");
  }
  return std::nullopt;
}

DynamoStub::Answer DynamoStub::execute(const std::string& action, const json::object& request, bool says_item) {
  const auto name = text_in(request, "TableName");
  if (action == "CreateTable") return about_table(action, request);
  const auto at = tables_.find(name);
  if (at == tables_.end()) {
    return {400, error_body("ResourceNotFoundException", "Requested resource not found: Table: " + name)};
  }
  auto& table = at->second;
  if (action == "UpdateItem") return update(table, request, says_item);
  if (action == "DeleteItem") return remove(table, request, says_item);
  if (action == "Scan") return scan(table, request);
  if (action == "GetItem") {
    const auto item = table.items.find(key_of(request));
    Answer found;
    if (item != table.items.end()) found.body["Item"] = item->second;
    return found;
  }
  return about_table(action, request);
}

DynamoStub::Answer DynamoStub::update(Table& table, const json::object& request, bool says_item) {
  const auto key = key_of(request);
  if (key.empty() || key.size() > 2048) throw InvalidExpression("the key must have 1 to 2048 bytes");
  const auto at = table.items.find(key);
  const auto before = at == table.items.end() ? json::object() : at->second;
  auto after = before;
  after["key"] = {{"S", key}};
  DynamoExpressions expressions(request);
  const auto condition = text_in(request, "ConditionExpression");
  const bool holds = condition.empty() || expressions.holds(condition, before);
  if (holds) {
    expressions.update(text_in(request, "UpdateExpression"), after);
    expressions.check_all_used();
  } else {
    Answer failed{400, error_body("ConditionalCheckFailedException", "The conditional request failed")};
    const bool asked = text_in(request, "ReturnValuesOnConditionCheckFailure") == "ALL_OLD";
    if (asked && says_item && !before.empty()) failed.body["Item"] = before;
    return failed;
  }
  table.items[key] = after;
  Answer done;
  if (text_in(request, "ReturnValues") == "ALL_NEW") done.body["Attributes"] = after;
  return done;
}

DynamoStub::Answer DynamoStub::remove(Table& table, const json::object& request, bool says_item) {
  const auto key = key_of(request);
  const auto at = table.items.find(key);
  const auto before = at == table.items.end() ? json::object() : at->second;
  DynamoExpressions expressions(request);
  const auto condition = text_in(request, "ConditionExpression");
  const bool holds = condition.empty() || expressions.holds(condition, before);
  expressions.check_all_used();
  if (!holds) {
    Answer failed{400, error_body("ConditionalCheckFailedException", "The conditional request failed")};
    const bool asked = text_in(request, "ReturnValuesOnConditionCheckFailure") == "ALL_OLD";
    if (asked && says_item && !before.empty()) failed.body["Item"] = before;
    return failed;
  }
  table.items.erase(key);
  return {};
}

DynamoStub::Answer DynamoStub::scan(Table& table, const json::object& request) {
  constexpr std::size_t page = 10;  // Small, so that every list has several.
  DynamoExpressions expressions(request);
  const auto filter = text_in(request, "FilterExpression");
  if (!filter.empty()) expressions.holds(filter, {});
  expressions.check_all_used();
  auto at = table.items.begin();
  if (const auto* start = request.if_contains("ExclusiveStartKey")) {
    at = table.items.upper_bound(text(start->at("key").at("S")));
  }
  json::array found;
  Answer answer;
  for (std::size_t read = 0; at != table.items.end(); ++at) {
    if (read++ == page) {
      const auto last = std::prev(at)->first;
      answer.body["LastEvaluatedKey"] = {{"key", {{"S", last}}}};
      break;
    }
    if (filter.empty() || expressions.holds(filter, at->second)) found.push_back(at->second);
  }
  answer.body["Count"] = found.size();
  answer.body["Items"] = std::move(found);
  return answer;
}

DynamoStub::Answer DynamoStub::about_table(const std::string& action, const json::object& request) {
  const auto name = text_in(request, "TableName");
  if (action == "CreateTable") {
    if (tables_.contains(name)) return {400, error_body("ResourceInUseException", "Table already exists: " + name)};
    auto description = request;
    description["TableStatus"] = "CREATING";
    description["TableId"] = "table-" + std::to_string(++tables_made_);
    tables_[name].description = description;
    return {200, {{"TableDescription", description}}};
  }
  auto& table = tables_.at(name);
  if (action == "DescribeTable") {
    auto description = table.description;
    if (replicas_) description["Replicas"] = json::array{json::object{{"RegionName", "us-east-1"}}};
    table.description["TableStatus"] = "ACTIVE";
    return {200, {{"Table", description}}};
  }
  if (action == "DescribeTimeToLive" && options_.time_to_live_known) {
    json::object about{{"TimeToLiveStatus", table.time_to_live ? "ENABLED" : "DISABLED"}};
    if (table.time_to_live) about["AttributeName"] = "ttl";
    return {200, {{"TimeToLiveDescription", about}}};
  }
  if (action == "UpdateTimeToLive" && options_.time_to_live_known) {
    table.time_to_live = true;
    return {};
  }
  return {400, {{"__type", "com.amazon.coral.service#UnknownOperationException"}}};
}

void DynamoStub::count(const std::string& action, bool executed) {
  const std::lock_guard lock(mutex_);
  auto& counts = counts_[action];
  ++(executed ? counts.second : counts.first);
}

}  // namespace sms::tests
