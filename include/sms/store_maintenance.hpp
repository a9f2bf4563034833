#pragma once

#include <sms/operator_store.hpp>

#include <string>
#include <vector>

namespace sms {

/// Something about a store that whoever runs it should know.
struct StoreFinding {
  enum class Level {
    fine,
    warning,  ///< It works; under some fault it may lose what it should keep.
    problem   ///< Sends through this store are refused, or would be unsafe.
  };
  Level level = Level::fine;
  std::string topic;  ///< One or two words: `schema`, `durability`, `failover`.
  std::string text;   ///< One sentence, without credentials.
};

/// Port: how the store itself is set up and looked after, optional for a store. Functions block and throw
/// `StoreUnavailableError`; call them from a thread that may wait.
class StoreMaintenance {
 public:
  virtual ~StoreMaintenance() = default;

  /// What `migrate` would execute, for those who run migrations themselves: SQL, or the JSON of a request. Empty where
  /// a store makes by itself what it needs. Does not connect.
  virtual std::string migration() const { return {}; }
  /// Makes or upgrades tables and indexes. Idempotent; additive; what is in use stays usable meanwhile.
  virtual void migrate() {}
  /// Reachability, schema, durability, and what the store can lose. What cannot be reached is a finding, too.
  virtual std::vector<StoreFinding> examine() = 0;
  /// Says that an operator knows that this store was restored, or failed over, and may have lost claims: from then on
  /// it serves again. Writes an audit row.
  virtual void acknowledge_restore(const OperatorNote& note) = 0;
};

}  // namespace sms
