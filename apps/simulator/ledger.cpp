#include "simulator/ledger.hpp"

#include "simulator/times.hpp"

#include <boost/json/serialize.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace sms::simulator {
namespace {

bool matches(const Order& order, const Ledger::Filter& filter) {
  return (!filter.provider || order.provider == *filter.provider) &&
         (!filter.account || order.account == *filter.account) && (!filter.to || order.to == *filter.to) &&
         (!filter.from || order.from == *filter.from) && (!filter.body || order.body == *filter.body);
}

boost::json::object json_of(const Message& message) {
  return {{"id", message.id},           {"provider", message.order.provider},
          {"to", message.order.to},     {"from", message.order.from},
          {"body", message.order.body}, {"callback", message.order.callback},
          {"request", message.request}, {"at", message.at_ms}};
}

}  // namespace

Ledger::Ledger(const std::optional<std::filesystem::path>& file) {
  if (!file) return;
  file_.open(*file, std::ios::app);
  if (!file_) throw std::runtime_error("the ledger file cannot be opened: " + file->string());
}

void Ledger::append(const boost::json::object& line) {
  if (file_.is_open()) file_ << boost::json::serialize(line) << std::endl;
}

std::uint64_t Ledger::request(const Request& request, const Order& order, const std::string& fault) {
  const std::lock_guard lock(mutex_);
  const auto number = next_request_++;
  boost::json::object json{{"request", number},
                           {"provider", order.provider},
                           {"method", request.method},
                           {"path", request.path},
                           {"to", order.to},
                           {"from", order.from},
                           {"body", order.body},
                           {"callback", order.callback},
                           {"connection", request.connection},
                           {"onConnection", request.on_connection},
                           {"fault", fault},
                           {"at", now_ms()}};
  append(json);
  requests_.push_back({order, std::move(json)});
  return number;
}

Message Ledger::create(const Order& order, std::string id, std::uint64_t request) {
  const std::lock_guard lock(mutex_);
  Message message{std::move(id), order, request, now_ms()};
  append({{"created", json_of(message)}});
  by_id_[message.id] = messages_.size();
  messages_.push_back(message);
  return message;
}

std::optional<Message> Ledger::find(const std::string& provider, const std::string& id) const {
  const std::lock_guard lock(mutex_);
  const auto at = by_id_.find(id);
  if (at == by_id_.end() || messages_[at->second].order.provider != provider) return std::nullopt;
  return messages_[at->second];
}

std::deque<Message> Ledger::messages(const Filter& filter) const {
  const std::lock_guard lock(mutex_);
  std::deque<Message> found;
  for (const auto& message : messages_) {
    if (matches(message.order, filter)) found.push_back(message);
  }
  return found;
}

std::size_t Ledger::message_count(const Filter& filter) const {
  const std::lock_guard lock(mutex_);
  return static_cast<std::size_t>(
      std::ranges::count_if(messages_, [&](const Message& message) { return matches(message.order, filter); }));
}

std::size_t Ledger::request_count() const {
  const std::lock_guard lock(mutex_);
  return requests_.size();
}

void Ledger::clear() {
  const std::lock_guard lock(mutex_);
  requests_.clear();
  messages_.clear();
  by_id_.clear();
}

boost::json::object Ledger::to_json(const Filter& filter) const {
  boost::json::array requests;
  boost::json::array created;
  const std::lock_guard lock(mutex_);
  for (const auto& entry : requests_) {
    if (matches(entry.order, filter)) requests.push_back(entry.json);
  }
  for (const auto& message : messages_) {
    if (matches(message.order, filter)) created.push_back(json_of(message));
  }
  boost::json::object counts{{"requests", requests.size()}, {"messages", created.size()}};
  return {{"counts", std::move(counts)}, {"requests", std::move(requests)}, {"messages", std::move(created)}};
}

boost::json::object Ledger::summary(const std::string& by) const {
  std::map<std::string, std::uint64_t> counts;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, order, request, at_ms] : messages_) {
      ++counts[by == "to" ? order.to : by == "provider" ? order.provider : order.body];
    }
  }
  boost::json::object summary;
  for (const auto& [value, count] : counts) summary[value] = count;
  return summary;
}

}  // namespace sms::simulator
