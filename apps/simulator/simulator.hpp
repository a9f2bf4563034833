#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>

namespace sms::simulator {

struct SimulateOptions {
  std::string host = "127.0.0.1";
  std::uint16_t port = 0;                              ///< 0: a free one.
  std::optional<std::filesystem::path> scenario = {};  ///< JSON file with fault rules.
  std::optional<std::filesystem::path> ledger = {};    ///< Appended to, one JSON object a line.
  std::uint64_t seed = 1;                              ///< Of faults with a probability.
  bool json = false;                                   ///< How `run_simulate` says where it listens.
};

/// The judge: a real HTTP server that speaks the APIs of the providers, makes no message leave, and remembers every
/// complete request and every message that it "created". It shares no code with the library that it judges.
///
/// Faults come from a scenario file or the control API under `/_sim/`; see docs/reference/simulator.md. All members are
/// safe from any thread.
class Simulator {
 public:
  /// Listens. Throws `std::runtime_error` when it cannot, or when the scenario is wrong.
  explicit Simulator(const SimulateOptions& options);
  Simulator(const Simulator&) = delete;
  Simulator& operator=(const Simulator&) = delete;
  /// Closes every connection.
  ~Simulator();

  std::uint16_t port() const noexcept;
  std::string url() const;
  /// Replaces the fault rules: a JSON array. Throws `std::runtime_error` naming the rule and the field.
  void set_faults(const std::string& json);
  std::size_t messages() const;
  /// Messages created whose body is this one.
  std::size_t messages_with_body(const std::string& body) const;
  std::size_t requests() const;
  /// What `GET /_sim/ledger` answers.
  std::string ledger_json() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// Runs a simulator until SIGINT or SIGTERM. Says on `out` where it listens, in one line.
int run_simulate(const SimulateOptions& options, std::ostream& out);

}  // namespace sms::simulator
