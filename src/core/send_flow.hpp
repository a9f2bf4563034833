#pragma once

#include <sms/client.hpp>

#include "core/attempt_run.hpp"
#include "core/engine.hpp"
#include "core/flight.hpp"
#include "core/task.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sms::detail {

/// The one send flow: claim the key, ask the policy, try the adapters, write the outcome. Blocking and asynchronous
/// calls are doors to it. One object per flight; not thread-safe.
class SendFlow {
 public:
  /// `waited`: for another send of this key on this client to end.
  SendFlow(std::shared_ptr<Engine> engine, std::shared_ptr<Flight> flight, bool waited);

  Task<SendOutcome> run();

 private:
  /// An outcome ends the send; none lets it go on.
  using Ended = std::optional<SendOutcome>;

  // claim_flow.cpp: owning the key
  Task<Ended> claim();
  Task<Ended> wait_for_other(Existing existing);
  Task<Ended> pay_own_debt(Debt debt);
  Ended judge(const IdempotencyRecord& record, std::optional<std::chrono::nanoseconds> age) const;

  // send_flow.cpp: policy and attempts
  Task<Ended> ask_policy();
  Task<SendOutcome> send_through_adapters();
  Task<Ended> try_adapter(std::shared_ptr<Adapter> adapter, AdapterMessage message);
  Task<Ended> may_attempt(const Adapter& adapter, int attempt);
  /// Nothing when the attempt was refused at its last check; `refused_` says why.
  Task<std::optional<AdapterOutcome>> make_attempt(std::shared_ptr<Adapter> adapter, AdapterMessage message,
                                                   int attempt);
  Task<bool> pause(std::chrono::nanoseconds delay);

  AttemptGate::Check last_check() const;
  Ended stopped() const;
  SendOutcome stopped_because(AttemptGate::Reason reason) const;
  /// What that other send came to, this one does not know.
  SendOutcome stopped_while_waiting() const;
  SendOutcome accepted(const Accepted& outcome) const;
  SendOutcome unknown(const Unknown& outcome) const;
  void reject(const Rejected& rejection);
  bool keyed() const noexcept { return engine_->store() != nullptr && !flight_->message().key.empty(); }
  SendOutcome rejected() const;

  Debt debt_of(const SendOutcome& outcome) const;
  void watch_late_answer() const;
  static Detached settle_late(SendFlow flow, AdapterOutcome outcome);

  std::shared_ptr<Engine> engine_;
  std::shared_ptr<Flight> flight_;
  bool waited_;
  std::optional<BootClock::time_point> claimed_at_;  ///< Before the claim left.
  std::vector<Attempt> attempts_;
  AllProvidersRejectedError::Errors errors_;
  std::optional<AttemptGate::Reason> refused_;  ///< Why the latest attempt did not leave.
  std::exception_ptr thrown_;
  bool silent_ = false;               ///< No hooks: what a policy threw is the caller's alone.
  std::shared_ptr<AttemptRun> open_;  ///< Given up, and still able to answer.
};

}  // namespace sms::detail
