#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sms::chaos {

/// A store with its server, which a run disturbs.
class ChaoticStore {
 public:
  virtual ~ChaoticStore() = default;
  /// What the senders are given; through a proxy where connections can be cut.
  virtual std::string url() const = 0;
  /// For looking at the result, undisturbed.
  virtual std::string direct_url() const = 0;
  /// Stops the server hard and starts it again; false for a store without one.
  virtual bool restart() { return false; }
  /// Whether connections can be cut.
  virtual bool cuttable() const { return true; }
  /// Lets the next answer of the server reach nobody, and ends its connection: what it was about has happened.
  virtual void cut() {}
};

/// Throws for a store that this build does not have.
std::unique_ptr<ChaoticStore> chaotic_store(std::string_view name);
std::vector<std::string_view> chaotic_stores();

}  // namespace sms::chaos
