#pragma once

#include <sms/unique_function.hpp>

#include <atomic>
#include <cstdint>
#include <mutex>

namespace sms {

/// The one switch of an attempt: `open`, then either `committed` by whoever is about to let the first byte of the
/// request leave, or `cancelled` by a timer, the caller or a failed last check. Exactly one of them wins, so that
/// "nothing was sent" is only ever said by the one who won `cancelled`.
///
/// Thread-safe. Shared by the send flow and the adapter (or transport) for as long as either needs it.
class AttemptGate {
 public:
  enum class State : std::uint16_t { open, committed, cancelled };
  enum class Reason : std::uint16_t {
    none,
    queue_timeout,    ///< No slot in the transport in time.
    timeout,          ///< The attempt's timeout ran out before the connection stood.
    caller,           ///< Cancelled by the caller.
    deadline,         ///< The send's deadline has passed.
    reservation_age,  ///< Our claim on the key is too old to be answered before it is stale.
    client_closed
  };
  /// The last check, run by `commit` on the committing thread: `none` lets the request go.
  using Check = UniqueFunction<Reason()>;

  explicit AttemptGate(Check check = {}, UniqueFunction<void()> on_started = {});

  /// To be called when the attempt has its slot and really begins: the attempt's timeout runs from here. Once.
  void started();
  /// To be called just before the first byte leaves. False: it must not leave; end the attempt as not sent.
  bool commit();
  /// Tries to stop the attempt. True: it was still open and nothing leaves any more.
  bool cancel(Reason reason);
  /// The client no longer waits for the answer of a committed request, either: the transport ends the exchange.
  void abandon();
  /// `react` runs once when the gate is cancelled or abandoned, at once when it already is, on that thread. One
  /// reaction.
  void on_release(UniqueFunction<void()> react);

  State state() const noexcept { return switch_.load(std::memory_order_acquire).state; }
  Reason reason() const noexcept { return switch_.load(std::memory_order_acquire).reason; }

 private:
  struct Switch {
    State state;
    Reason reason;
  };

  bool turn(Switch to) noexcept;
  void release();

  std::atomic<Switch> switch_{Switch{State::open, Reason::none}};
  Check check_;
  UniqueFunction<void()> on_started_;
  std::mutex mutex_;
  bool released_ = false;
  UniqueFunction<void()> react_;
};

}  // namespace sms
