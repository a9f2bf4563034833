#pragma once

#include "stores/postgres/operation.hpp"

#include <array>
#include <deque>
#include <functional>
#include <string>
#include <unordered_map>

namespace sms::detail {

/// The operations that wait for a connection. Of one thread.
class PgQueue {
 public:
  void add(std::unique_ptr<PgOperation> operation);
  /// Back to the front: it was under way.
  void put_back(std::unique_ptr<PgOperation> operation);
  /// Until later, whatever asks for this key goes alone: its row is held by somebody.
  void suspect(const std::string& key);

  bool empty() const;
  bool has_lone() const { return !lone_.empty(); }
  bool has_common() const;
  /// The oldest operation and those of its kind, each of another key, ordered by key.
  PgOperations take_batch(std::size_t most);
  std::unique_ptr<PgOperation> take_lone();
  /// Whose deadline has passed.
  PgOperations take_late(BootClock::time_point now);
  PgOperations take_all();
  BootClock::time_point next_deadline() const;

 private:
  using Line = std::deque<std::unique_ptr<PgOperation>>;
  Line& line_of(const PgOperation& operation);
  bool is_suspect(const std::string& key);

  std::array<Line, pg_statements> common_;
  Line lone_;
  std::unordered_map<std::string, BootClock::time_point> suspects_;
};

}  // namespace sms::detail
