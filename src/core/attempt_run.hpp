#pragma once

#include <sms/adapter.hpp>
#include <sms/clock.hpp>

#include "core/task.hpp"

#include <chrono>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>

namespace sms::detail {

/// How one attempt ended for the send that waits for it.
struct AttemptEnd {
  enum class Kind {
    answered,  ///< By the adapter.
    threw,     ///< The adapter did.
    not_sent,  ///< Stopped for `reason` before anything left.
    gave_up    ///< Stopped for `reason` after something may have left; an answer may still come.
  };
  Kind kind = Kind::answered;
  AdapterOutcome outcome = Unknown{UnknownReason::adapter_exception, {}};
  std::exception_ptr thrown = {};
  AttemptGate::Reason reason = AttemptGate::Reason::none;
};

/// One call of an adapter: its gate, its two timers (waiting for a slot, then the attempt's own time-out), and the
/// answer, which may come after the send stopped waiting. Thread-safe.
class AttemptRun : public std::enable_shared_from_this<AttemptRun> {
 public:
  struct Limits {
    std::chrono::nanoseconds queue;
    AttemptGate::Reason queue_reason;  ///< Why it ends when the wait for a slot is over.
    std::chrono::nanoseconds attempt;
  };

  AttemptRun(std::shared_ptr<Clock> clock, std::shared_ptr<Adapter> adapter, Limits limits)
      : clock_(std::move(clock)), adapter_(std::move(adapter)), limits_(limits) {}

  /// Calls the adapter. `check` is the last check at the commit point. Await `end()` afterwards.
  void start(AdapterMessage message, SendContext context, AttemptGate::Check check);
  Rendezvous<AttemptEnd>& end() noexcept { return end_; }
  /// Stops waiting; nothing leaves any more if nothing has left yet.
  void stop(AttemptGate::Reason reason);
  void forget_timers();

  /// After `gave_up`: `late` gets the answer that still comes within `window`, or nothing when none does. Exactly once.
  void watch(std::chrono::nanoseconds window, UniqueFunction<void(std::optional<AdapterOutcome>)> late);
  /// Ends the watch, and with it the exchange.
  void abandon();

 private:
  void started();
  void answered(Expected<AdapterOutcome> answer);
  void offer(AttemptEnd end);
  void arm(std::chrono::nanoseconds delay, AttemptGate::Reason reason);
  void settle_watch(std::optional<AdapterOutcome> answer);

  std::shared_ptr<Clock> clock_;
  std::shared_ptr<Adapter> adapter_;  ///< Must live as long as it may answer.
  Limits limits_;
  std::shared_ptr<AttemptGate> gate_;
  Rendezvous<AttemptEnd> end_;

  std::mutex mutex_;
  bool has_started_ = false;
  std::shared_ptr<Timer> timer_;
  bool watch_over_ = false;
  std::optional<std::optional<AdapterOutcome>> early_answer_;  ///< Came after `gave_up` and before `watch`.
  UniqueFunction<void(std::optional<AdapterOutcome>)> late_;
};

}  // namespace sms::detail
