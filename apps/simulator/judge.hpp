#pragma once

#include "simulator/connection.hpp"
#include "simulator/faults.hpp"
#include "simulator/ledger.hpp"
#include "simulator/listener.hpp"
#include "simulator/provider_api.hpp"

#include <cstdint>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <vector>

namespace sms::simulator {

/// Answers requests as the providers would, or as the faults say, and writes the ledger.
class Judge {
 public:
  /// `scenario` is a JSON array of fault rules. Throws `std::runtime_error` naming the rule and the field.
  Judge(const std::optional<std::filesystem::path>& ledger, std::uint64_t seed, const std::string& scenario);

  void serve(Listener& listener, Listener::Peer& peer);
  void set_faults(Listener& listener, const std::string& json);
  /// Takes the listener down when a rule says so, and up when none does.
  void apply_refusal(Listener& listener);
  const Ledger& ledger() const { return ledger_; }

 private:
  bool answer(Listener& listener, Connection& connection, const Request& request);
  bool send(Listener& listener, Connection& connection, const Request& request, const ProviderApi& provider);
  Answer control(Listener& listener, const Request& request);
  std::string new_hex();

  Ledger ledger_;
  Faults faults_;
  std::vector<std::unique_ptr<ProviderApi>> providers_;
  std::mutex mutex_;
  std::mt19937_64 ids_{std::random_device{}()};  // Not of the seed: no two runs may give the same ID.
};

}  // namespace sms::simulator
