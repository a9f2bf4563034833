#pragma once

#include <boost/json.hpp>

#include <chrono>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace sms::tests {

/// What goes wrong with a request. As JSON: `{"kind":"lose_answer","action":"UpdateItem","times":1,"ms":0,
/// "probability":1,"error":"","status":400}`, all but `kind` optional.
struct DynamoFault {
  enum class Kind {
    throttle,         ///< Answered as throttled; not executed.
    error,            ///< Answered as `error` with `status`; not executed.
    cut,              ///< The connection is closed; not executed.
    lose_answer,      ///< Executed, then the connection is closed.
    delay_execution,  ///< Executed after `delay`, whoever still waits.
    delay_answer,     ///< Executed at once, answered after `delay`.
    hide_item         ///< A failed condition does not say what is there.
  };
  Kind kind = Kind::throttle;
  std::string action = {};  ///< As `UpdateItem`; empty for all.
  std::string part = {};    ///< Only requests whose body has this text.
  int times = 1;            ///< Zero or less: for ever.
  double probability = 1;
  std::chrono::milliseconds delay{0};
  std::string error = "InternalServerError";
  int status = 500;
};

/// Thread-safe.
class DynamoFaults {
 public:
  void add(DynamoFault fault);
  void clear();
  /// Replaces all. Throws for what is no list of faults.
  void read(const std::string& json);
  /// The fault that this request meets, which is then used up by one.
  std::optional<DynamoFault> meet(const std::string& action, const std::string& body);

 private:
  std::mutex mutex_;
  std::vector<DynamoFault> faults_;
  std::mt19937 random_{20261203};
};

}  // namespace sms::tests
