#pragma once

#include "servers/dynamo_faults.hpp"
#include "transport/scripted_server.hpp"

#include <boost/json.hpp>

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace sms::tests {

struct DynamoStubOptions {
  bool says_item = true;  ///< Whether a failed condition answers the item that is there.
  bool durable = true;    ///< Otherwise `crash` loses what was written since `snapshot`.
  bool time_to_live_known = true;
  std::string region = "eu-west-1";
  std::string access_key_id = "AKIDSTUB";
  std::string secret_access_key = "stub-secret";
  std::string session_token = {};  ///< Expected with every request, where not empty.
};

/// A small DynamoDB in memory: tables, items and the expressions that are used here, evaluated; signatures checked;
/// with faults. Many clients at once, of several processes too. Shares no code with the store that it judges.
///
/// Over HTTP, without a signature: `PUT /_stub/faults` (a JSON array, see `DynamoFault`), `PUT /_stub/skew` (ms),
/// `POST /_stub/snapshot`, `/_stub/restore`, `/_stub/crash`, `GET /_stub/counts`.
class DynamoStub {
 public:
  explicit DynamoStub(DynamoStubOptions options = {});

  std::string url() const { return server_.url(""); }

  void add_fault(DynamoFault fault) { faults_.add(std::move(fault)); }
  /// A JSON array of them, in place of all.
  void read_faults(const std::string& json) { faults_.read(json); }
  void clear_faults() { faults_.clear(); }
  /// Its clock is that much ahead of the machine's.
  void set_skew(std::chrono::milliseconds skew) { skew_ = skew; }
  void set_replicas(bool replicas) { replicas_ = replicas; }
  /// Keys that are good from now on.
  void set_credentials(const std::string& access_key_id, const std::string& secret, const std::string& session_token);
  void snapshot();
  /// Goes back to the snapshot; to nothing without one.
  void restore();
  void crash();
  /// A table of the same name and items, as one restored from a backup.
  void replace_table(const std::string& name);

  /// Executed, not only received.
  int executed(const std::string& action) const;
  int received(const std::string& action) const;
  std::optional<boost::json::object> item(const std::string& table, const std::string& key) const;
  void put_item(const std::string& table, boost::json::object item);
  void erase_item(const std::string& table, const std::string& key);

 private:
  struct Table {
    boost::json::object description;
    std::map<std::string, boost::json::object> items;
    bool time_to_live = false;
  };
  struct Answer {
    int status = 200;
    boost::json::object body;
  };
  using Tables = std::map<std::string, Table>;

  Reaction react(const SeenRequest& request);
  Reaction answer(const Answer& answer, Reaction::End end = Reaction::End::keep_alive) const;
  Reaction control(const std::string& method, const std::string& path, const std::string& body);
  Answer execute(const std::string& action, const boost::json::object& request, bool says_item);
  Answer update(Table& table, const boost::json::object& request, bool says_item);
  Answer remove(Table& table, const boost::json::object& request, bool says_item);
  Answer scan(Table& table, const boost::json::object& request);
  Answer about_table(const std::string& action, const boost::json::object& request);
  std::optional<Answer> refuse_signature(const SeenRequest& request) const;
  std::chrono::system_clock::time_point now() const;
  void count(const std::string& action, bool executed);

  DynamoStubOptions options_;
  DynamoFaults faults_;
  std::atomic<std::chrono::milliseconds> skew_{std::chrono::milliseconds(0)};
  std::atomic<bool> replicas_{false};
  mutable std::mutex mutex_;
  Tables tables_, snapshot_;
  std::map<std::string, std::pair<int, int>> counts_;  ///< Received and executed.
  int tables_made_ = 0;
  ScriptedServer server_;  ///< Last: it ends before what it uses.
};

}  // namespace sms::tests
