#pragma once

#include "core/flight.hpp"

#include <array>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace sms::detail {

/// The sends under way on one client: by key, so that concurrent sends of one key meet, and all of them, so that
/// `close` can wait. Sharded by key. Thread-safe.
class FlightTable {
 public:
  /// The flight that stands under the key of `candidate`, which is entered when there is none.
  struct Entered {
    std::shared_ptr<Flight> flight;
    bool is_new;
  };
  Entered enter(const std::shared_ptr<Flight>& candidate);
  /// Puts `next` in the place of `old`. False when `old` no longer stands there.
  bool replace(const std::shared_ptr<Flight>& old, const std::shared_ptr<Flight>& next);
  void remove(const std::shared_ptr<Flight>& flight);

  std::vector<std::shared_ptr<Flight>> all() const;
  std::size_t size() const;

 private:
  static constexpr std::size_t shard_count = 16;
  struct Shard {
    mutable std::mutex mutex;
    std::unordered_map<std::string, std::shared_ptr<Flight>> by_key;
    std::unordered_set<std::shared_ptr<Flight>> all;
  };
  Shard& shard_of(const Flight& flight);

  std::array<Shard, shard_count> shards_;
};

}  // namespace sms::detail
