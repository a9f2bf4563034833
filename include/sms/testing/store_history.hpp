#pragma once

#include <sms/idempotency.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sms::testing {

/// One call of a store, by a clock that all callers share (`BootClock`: all processes of one machine).
struct StoreEvent {
  enum class Call { reserve, finalize };
  enum class Answer {
    reserved,   ///< The caller owns the key now.
    held,       ///< Reserved under `holder`.
    settled,    ///< Accepted by `holder`, or rejected for another message.
    finalized,  ///< Its final record stands.
    not_owner,
    failed  ///< No answer: it may have happened, or may still happen.
  };
  Call call = Call::reserve;
  Answer answer = Answer::failed;
  bool accepts = false;  ///< Of a finalize: accepted, else rejected.
  std::string key;
  std::string caller;  ///< The reservation ID that the call names.
  std::string holder = {};
  BootClock::time_point begin{}, end{};
};

struct StoreRace {
  std::size_t threads = 4;
  std::size_t keys = 20;
  std::size_t rounds = 40;      ///< Keys that each thread tries, one after another.
  std::uint64_t seed = 1;       ///< Of the order of keys and of the pauses.
  std::string caller = {};      ///< Begins the reservation IDs, to tell processes apart.
  std::string key_prefix = {};  ///< Of the keys.
  std::chrono::milliseconds longest_pause{3};
  /// Handed to the store; a store must not free a reservation that is older.
  std::chrono::milliseconds stale_reservation{1};
};

/// Lets threads claim and finalize the same keys with random pauses in between, and answers all calls. Run it in
/// several processes on one store and check their events together. Blocks until all threads are done.
std::vector<StoreEvent> race_for_keys(IdempotencyStore& store, const StoreRace& race);

/// One event as one line, for a pipe between processes.
std::string to_line(const StoreEvent& event);
/// Absent for a text that is no event.
std::optional<StoreEvent> parse_event(std::string_view line);

/// Whether the events of all callers can have happened one after another on one store: no key with two owners at the
/// same time, no claim after the key was accepted, no owner that is told that it is not, no holder that never was one.
/// Answers what contradicts that; keys of a store that was empty before.
std::vector<std::string> contradictions(std::span<const StoreEvent> events);

}  // namespace sms::testing
