#include "servers/dynamo_stub.hpp"

#include <stdexcept>
#include <utility>

namespace sms::tests {

namespace json = boost::json;

Reaction DynamoStub::control(const std::string& method, const std::string& path, const std::string& body) {
  try {
    const auto request = method + " " + path;
    if (request == "PUT faults") {
      faults_.read(body);
    } else if (request == "PUT skew") {
      set_skew(std::chrono::milliseconds(std::stoll(body)));
    } else if (request == "POST snapshot") {
      snapshot();
    } else if (request == "POST restore") {
      restore();
    } else if (request == "POST crash") {
      crash();
    } else if (request == "GET counts") {
      json::object counts;
      const std::lock_guard lock(mutex_);
      for (const auto& [action, count] : counts_) {
        counts[action] = json::object{{"received", count.first}, {"executed", count.second}};
      }
      return {http_answer(200, json::serialize(counts))};
    } else {
      return {http_answer(404, R"({"error":"no such control request"})")};
    }
  } catch (const std::exception& error) {
    return {http_answer(400, json::serialize(json::object{{"error", error.what()}}))};
  }
  return {http_answer(200, "{}")};
}

void DynamoStub::set_credentials(const std::string& access_key_id, const std::string& secret,
                                 const std::string& session_token) {
  const std::lock_guard lock(mutex_);
  options_.access_key_id = access_key_id;
  options_.secret_access_key = secret;
  options_.session_token = session_token;
}

void DynamoStub::snapshot() {
  const std::lock_guard lock(mutex_);
  snapshot_ = tables_;
}

void DynamoStub::restore() {
  const std::lock_guard lock(mutex_);
  tables_ = snapshot_;
}

void DynamoStub::crash() {
  if (!options_.durable) restore();
}

void DynamoStub::replace_table(const std::string& name) {
  const std::lock_guard lock(mutex_);
  tables_.at(name).description["TableId"] = "table-" + std::to_string(++tables_made_);
}

int DynamoStub::executed(const std::string& action) const {
  const std::lock_guard lock(mutex_);
  const auto at = counts_.find(action);
  return at == counts_.end() ? 0 : at->second.second;
}

int DynamoStub::received(const std::string& action) const {
  const std::lock_guard lock(mutex_);
  const auto at = counts_.find(action);
  return at == counts_.end() ? 0 : at->second.first;
}

std::optional<json::object> DynamoStub::item(const std::string& table, const std::string& key) const {
  const std::lock_guard lock(mutex_);
  const auto& items = tables_.at(table).items;
  const auto at = items.find(key);
  return at == items.end() ? std::nullopt : std::optional(at->second);
}

void DynamoStub::put_item(const std::string& table, json::object item) {
  const std::lock_guard lock(mutex_);
  const std::string key(item.at("key").at("S").as_string());
  tables_.at(table).items[key] = std::move(item);
}

void DynamoStub::erase_item(const std::string& table, const std::string& key) {
  const std::lock_guard lock(mutex_);
  tables_.at(table).items.erase(key);
}

}  // namespace sms::tests
