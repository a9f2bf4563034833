#pragma once

#include "simulator/ledger.hpp"

#include <boost/json/array.hpp>

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace sms::simulator {

enum class FaultKind {
  refuse,
  close_before_read,
  delay,
  hang,
  close_after_read,
  create_then_close,
  create_then_hang,
  create_then_status,
  create_then_garbage,
  create_late,
  half_response,
  reject,
  bare_status,
  rate_limit,
  slow_drip,
  keepalive_then_close,
  wrong_content_type,
  redirect
};
std::string_view to_string(FaultKind kind);

/// What happens to one request instead of the usual, or around it.
struct Fault {
  FaultKind kind{};
  bool reset = false;  ///< Close by RST instead of FIN.
  std::optional<std::chrono::milliseconds> time = {};
  std::optional<int> status = {};
  std::optional<std::string> code = {};
  int retry_after = 1;
  std::string location = {};
};

struct FaultRule {
  Fault fault = {};
  std::optional<std::string> provider = {}, to = {}, body = {};
  std::optional<bool> reused = {};
  std::uint64_t nth = 0;
  std::uint64_t every = 0;
  double probability = 1;
  std::optional<std::uint64_t> times = {};
};

/// Throws `std::runtime_error` naming the rule and the field.
std::vector<FaultRule> parse_fault_rules(const boost::json::array& rules);

/// The rules that decide which request meets a fault: the first one that strikes. The same seed and the same order of
/// requests give the same faults. Thread-safe.
class Faults {
 public:
  explicit Faults(std::uint64_t seed) : seed_(seed) {}

  /// Replaces the rules and starts their counts and their chances anew. Throws as `parse_fault_rules` does.
  void set(const boost::json::array& rules);
  boost::json::array rules() const;

  /// The rule, if there is one, that wants nothing to listen.
  std::optional<Fault> refusal() const;
  std::optional<Fault> before_read(bool reused);
  std::optional<Fault> on_request(const Order& order, bool reused);

 private:
  struct Counted {
    FaultRule rule;
    std::uint64_t seen = 0;
    std::uint64_t struck = 0;
  };
  bool strikes(Counted& counted);

  std::uint64_t seed_;
  mutable std::mutex mutex_;
  std::mt19937_64 random_;
  std::vector<Counted> rules_;
  boost::json::array source_;
};

}  // namespace sms::simulator
