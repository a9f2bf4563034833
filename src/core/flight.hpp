#pragma once

#include <sms/client.hpp>
#include <sms/clock.hpp>
#include <sms/encoding.hpp>
#include <sms/message.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace sms::detail {

/// One caller of a send. Several callers of one key share a flight.
struct Caller {
  UniqueFunction<void(SendOutcome)> done;
  std::optional<BootClock::time_point> deadline;
  BootClock::time_point patience_end{};  ///< How long it waits for another process that sends the key.
};

/// One logical send under way, and everyone who waits for it. Thread-safe.
class Flight {
 public:
  struct Message {
    std::shared_ptr<const SendInput> input;
    std::string key;          ///< Empty: none.
    std::string fingerprint;  ///< Of a keyed message.
    std::string reservation_id;
    std::string id;
    std::string trace_context;
    WallTime started{};
    SegmentEstimate estimate;
  };
  using CallerId = std::uint64_t;

  Flight(Message message, bool remembered) : message_(std::move(message)), remembered_(remembered) {}

  const Message& message() const noexcept { return message_; }

  /// Adds a caller; absent when the flight takes none any more (`caller` is then untouched).
  std::optional<CallerId> join(Caller& caller);
  /// Takes back the only caller of a flight that nobody else knows yet.
  Caller withdraw();
  /// Lets a caller's stop token take it out.
  void watch(CallerId id, const std::stop_token& stop, const std::shared_ptr<Flight>& self);
  /// The caller goes: at once while others stay; the last one cancels the flight and gets its outcome.
  void leave(CallerId id);
  /// Ends the flight for everyone. Every caller but the first is told a replay.
  void finish(SendOutcome outcome);
  /// Runs `next` when the flight has ended; at once when it has.
  void after(UniqueFunction<void()> next);

  bool cancelled() const;
  /// Stops the send as the last leaving caller does; `closing` for a client that closes.
  void cancel(bool closing);
  bool closing() const;
  /// `react` runs once when the flight is cancelled, at once when it already is. One reaction at a time; an empty one
  /// forgets it.
  void on_cancel(UniqueFunction<void()> react);

  /// The latest deadline of the callers; absent while one has none.
  std::optional<BootClock::time_point> deadline() const;
  /// Answers `IdempotencyInProgressError` to callers whose patience is over, and says when the next one's is. Absent
  /// when nobody is patient any more: the flight then takes no further callers.
  std::optional<BootClock::time_point> release_impatient(BootClock::time_point now, WallTime since);

 private:
  struct Entry {
    CallerId id;
    Caller caller;
    bool first;
    std::unique_ptr<std::stop_callback<std::function<void()>>> stop;
  };

  Message message_;
  bool remembered_;  ///< Whether a store remembers the key.
  mutable std::mutex mutex_;
  std::vector<Entry> callers_;
  CallerId next_id_ = 1;
  bool cancelled_ = false;
  bool closing_ = false;
  bool sealed_ = false;  ///< Takes no callers.
  bool ended_ = false;
  UniqueFunction<void()> react_;
  std::vector<UniqueFunction<void()>> after_;
};

}  // namespace sms::detail
