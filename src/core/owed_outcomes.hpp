#pragma once

#include <sms/client.hpp>
#include <sms/idempotency.hpp>

#include "core/task.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace sms::detail {

/// Something that the store should say of a key.
struct Debt {
  FinalizeRequest request;
  bool evidence = false;  ///< The key is not ours to finalize (any more): settle it.
};

/// Outcomes that are known here and that the store does not have yet. Each is retried in the background until it is
/// written. Thread-safe.
class OwedOutcomes {
 public:
  /// Ends a pause between two tries early. False: give up.
  using Nap = Rendezvous<bool>;

  /// True when nothing was owed under this reservation yet. What is known later takes the place of what was known.
  bool add(const Debt& debt);
  /// Forgets the debt; not one that has taken its place meanwhile.
  void remove(const Debt& debt);
  /// What is owed for a key under this reservation.
  std::optional<Debt> find(const std::string& key, const std::string& reservation_id) const;
  std::vector<OwedOutcome> list() const;
  std::size_t size() const;

  /// Enters a pause; absent when the client gives up.
  std::shared_ptr<Nap> nap(const Debt& debt);
  /// Ends all pauses: with a try, or for good.
  void wake_all(bool go_on);

 private:
  struct Owed {
    Debt debt;
    std::shared_ptr<Nap> nap;
  };
  mutable std::mutex mutex_;
  std::map<std::string, Owed, std::less<>> by_reservation_;
  bool given_up_ = false;
};

}  // namespace sms::detail
