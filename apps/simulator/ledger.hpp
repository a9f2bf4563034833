#pragma once

#include "simulator/exchange.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <cstdint>
#include <deque>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace sms::simulator {

/// What a request asks for, as far as it says so.
struct Order {
  std::string provider = {};  ///< Empty when no provider has the path.
  std::string account = {};   ///< Where a provider tells accounts apart by the path.
  std::string to = {};
  std::string from = {};
  std::string body = {};
  std::string callback = {};
  bool scheduled = false;
  std::vector<std::string> media = {};
};

struct Message {
  std::string id;
  Order order;
  std::uint64_t request = 0;  ///< Number of the request that made it.
  std::int64_t at_ms = 0;
};

/// What really happened: every complete request and every message created, in order. Thread-safe.
class Ledger {
 public:
  explicit Ledger(const std::optional<std::filesystem::path>& file);

  struct Filter {
    std::optional<std::string> provider = {}, account = {}, to = {}, from = {}, body = {};
  };

  /// Answers the number of the request, from 1.
  std::uint64_t request(const Request& request, const Order& order, const std::string& fault);
  Message create(const Order& order, std::string id, std::uint64_t request);
  std::optional<Message> find(const std::string& provider, const std::string& id) const;
  std::deque<Message> messages(const Filter& filter) const;
  std::size_t message_count(const Filter& filter) const;
  std::size_t request_count() const;
  void clear();

  boost::json::object to_json(const Filter& filter) const;
  /// Messages created per `body`, `to` or `provider`.
  boost::json::object summary(const std::string& by) const;

 private:
  struct Entry {
    Order order;
    boost::json::object json;
  };
  void append(const boost::json::object& line);

  mutable std::mutex mutex_;
  std::deque<Entry> requests_;
  std::deque<Message> messages_;
  std::map<std::string, std::size_t> by_id_;
  std::uint64_t next_request_ = 1;
  std::ofstream file_;
};

}  // namespace sms::simulator
