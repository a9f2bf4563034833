#include "core/flight_table.hpp"

namespace sms::detail {

FlightTable::Shard& FlightTable::shard_of(const Flight& flight) {
  const auto& name = flight.message().key.empty() ? flight.message().id : flight.message().key;
  return shards_[std::hash<std::string>{}(name) % shard_count];
}

FlightTable::Entered FlightTable::enter(const std::shared_ptr<Flight>& candidate) {
  auto& shard = shard_of(*candidate);
  const std::lock_guard lock(shard.mutex);
  if (const auto& key = candidate->message().key; !key.empty()) {
    const auto [at, is_new] = shard.by_key.try_emplace(key, candidate);
    if (!is_new) return {at->second, false};
  }
  shard.all.insert(candidate);
  return {candidate, true};
}

bool FlightTable::replace(const std::shared_ptr<Flight>& old, const std::shared_ptr<Flight>& next) {
  auto& shard = shard_of(*old);
  const std::lock_guard lock(shard.mutex);
  const auto at = shard.by_key.find(old->message().key);
  if (at == shard.by_key.end() || at->second != old) return false;
  at->second = next;
  shard.all.insert(next);
  return true;
}

void FlightTable::remove(const std::shared_ptr<Flight>& flight) {
  auto& shard = shard_of(*flight);
  const std::lock_guard lock(shard.mutex);
  shard.all.erase(flight);
  if (flight->message().key.empty()) return;
  const auto at = shard.by_key.find(flight->message().key);
  if (at != shard.by_key.end() && at->second == flight) shard.by_key.erase(at);
}

std::vector<std::shared_ptr<Flight>> FlightTable::all() const {
  std::vector<std::shared_ptr<Flight>> flights;
  for (const auto& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    flights.insert(flights.end(), shard.all.begin(), shard.all.end());
  }
  return flights;
}

std::size_t FlightTable::size() const {
  std::size_t count = 0;
  for (const auto& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    count += shard.all.size();
  }
  return count;
}

}  // namespace sms::detail
