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
  std::chrono::milliseconds time{1'000};
  int status = 503;
  std::string code = "21610";
  int retry_after = 1;
  std::string location;
};

/// The rules that decide which request meets a fault: the first one that matches. The same seed and the same order of
/// requests give the same faults. Thread-safe.
class Faults {
 public:
  explicit Faults(std::uint64_t seed) : random_(seed) {}

  /// Replaces the rules and starts their counts anew. Throws `std::runtime_error` naming the rule and the field.
  void set(const boost::json::array& rules);
  boost::json::array rules() const;

  std::optional<Fault> on_accept();
  std::optional<Fault> before_read(bool reused);
  std::optional<Fault> on_request(const Order& order, bool reused);

 private:
  struct Rule {
    Fault fault;
    std::optional<std::string> provider, to, body;
    std::optional<bool> reused;
    std::uint64_t nth = 0;
    std::uint64_t every = 0;
    double probability = 1;
    std::optional<std::uint64_t> times;
    std::uint64_t seen = 0;
  };
  static Rule parse(const boost::json::value& json);
  bool strikes(Rule& rule);

  mutable std::mutex mutex_;
  std::mt19937_64 random_;
  std::vector<Rule> rules_;
  boost::json::array source_;
};

}  // namespace sms::simulator
