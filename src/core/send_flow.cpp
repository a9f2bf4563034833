#include "core/send_flow.hpp"

#include <sms/error.hpp>
#include <sms/retry.hpp>

#include "core/store_calls.hpp"
#include "core/validation_rules.hpp"

#include <algorithm>
#include <utility>

namespace sms::detail {
namespace {

using std::chrono::nanoseconds;

struct ToAttemptOutcome {
  using Result = decltype(Attempt::outcome);
  Result operator()(const Accepted& accepted) const {
    return Attempt::Accepted{accepted.provider_id, accepted.delivery};
  }
  Result operator()(const Rejected& rejected) const {
    return Attempt::Rejected{rejected.category, rejected.details.http_status, rejected.details.code,
                             rejected.retry_after};
  }
  Result operator()(const Unknown& unknown) const {
    return Attempt::Unknown{unknown.reason, unknown.details ? unknown.details->http_status : std::optional<int>{}};
  }
};

Attempt attempt_of(std::string provider, int number, const AdapterOutcome& outcome, nanoseconds duration) {
  return {std::move(provider),
          number,
          std::visit(ToAttemptOutcome{}, outcome),
          std::chrono::floor<std::chrono::milliseconds>(duration),
          {}};
}

Rejected never_connected(const std::string& provider) {
  Rejected rejection;
  rejection.category = RejectionCategory::unreachable;
  rejection.proof = Proof::transport;
  rejection.details.provider = provider;
  return rejection;
}

}  // namespace

SendFlow::SendFlow(std::shared_ptr<Engine> engine, std::shared_ptr<Flight> flight, bool waited)
    : engine_(std::move(engine)), flight_(std::move(flight)), waited_(waited) {}

Task<SendOutcome> SendFlow::run() {
  if (auto ended = stopped()) {
    if (waited_) co_return stopped_while_waiting();
    co_return *std::move(ended);
  }
  if (keyed()) {
    if (auto ended = co_await claim()) co_return *std::move(ended);
  }
  auto outcome = co_await ask_policy();
  if (!outcome) outcome = co_await send_through_adapters();
  if (keyed()) co_await write(engine_, debt_of(*outcome));
  if (!silent_) engine_->report_outcome(*flight_, attempts_, *outcome);
  watch_late_answer();
  co_return *std::move(outcome);
}

Task<SendFlow::Ended> SendFlow::ask_policy() {
  if (!engine_->options().before_send) co_return std::nullopt;
  struct Stopped {};
  using Answer = std::variant<PolicyDecision, std::exception_ptr, Stopped>;
  const auto answer = std::make_shared<Rendezvous<Answer>>();
  const auto ask = [answer, engine = engine_, flight = flight_] {
    if (answer->claimed()) return;  // Nobody waits any more, and the client's user may have gone.
    try {
      const auto& message = flight->message();
      answer->offer(engine->options().before_send(
          {message.id, *message.input, message.estimate.encoding, message.estimate.segments}));
    } catch (...) {
      answer->offer(std::current_exception());
    }
  };
  try {
    engine_->options().executor->post(ask);
  } catch (...) {
    answer->offer(std::current_exception());
  }
  const auto timer = engine_->clock().after(engine_->options().policy_timeout,
                                            [answer] { answer->offer(PolicyDecision(Reject{"timeout"})); });
  flight_->on_cancel([answer] { answer->offer(Stopped{}); });
  const Answer decided = co_await *answer;
  flight_->on_cancel({});
  timer->cancel();

  if (std::holds_alternative<Stopped>(decided)) co_return stopped();
  if (const auto* thrown = std::get_if<std::exception_ptr>(&decided)) {
    silent_ = true;
    co_return SendOutcome(PolicyRejectedError("the policy threw an exception", *thrown));
  }
  if (const auto* no = std::get_if<Reject>(&std::get<PolicyDecision>(decided))) {
    co_return SendOutcome(PolicyRejectedError(no->reason));
  }
  co_return std::nullopt;
}

Task<SendOutcome> SendFlow::send_through_adapters() {
  const auto& message = flight_->message();
  for (const auto& adapter : engine_->options().adapters) {
    auto options = parse_options(adapter->info(), message.input->provider_options);
    auto adapted = message_for(adapter->info(), *message.input, std::move(options.wire), message.id);
    const bool primary = errors_.empty();
    if (!primary && !adapter_issues(*adapter, adapted).empty()) continue;
    if (auto ended = co_await try_adapter(adapter, std::move(adapted))) co_return *std::move(ended);
    if (engine_->options().fallback == Fallback::none || !errors_.back()->fallback_eligible()) break;
  }
  co_return rejected();
}

Task<SendFlow::Ended> SendFlow::try_adapter(std::shared_ptr<Adapter> adapter, AdapterMessage message) {
  for (int number = 1;; ++number) {
    if (auto ended = co_await may_attempt(*adapter, number)) co_return ended;
    const auto begun = engine_->clock().boot_time();
    const auto outcome = co_await make_attempt(adapter, message, number);
    if (!outcome) co_return stopped_because(*refused_);
    attempts_.push_back(attempt_of(adapter->info().name, number, *outcome, engine_->clock().boot_time() - begun));

    if (const auto* yes = std::get_if<Accepted>(&*outcome)) co_return accepted(*yes);
    if (const auto* maybe = std::get_if<Unknown>(&*outcome)) co_return unknown(*maybe);
    const auto& no = std::get<Rejected>(*outcome);
    reject(no);
    if (no.category != RejectionCategory::rate_limited) co_return std::nullopt;
    const auto delay = retry_delay(engine_->options().retry, number, no.retry_after, engine_->random());
    if (!delay) co_return std::nullopt;
    if (!co_await pause(*delay)) co_return stopped();
  }
}

Task<SendFlow::Ended> SendFlow::may_attempt(const Adapter& adapter, int attempt) {
  if (auto ended = stopped()) co_return ended;
  if (!keyed() || !engine_->posts_marks()) co_return std::nullopt;

  MarkRequest request;
  request.key = flight_->message().key;
  request.reservation_id = flight_->message().reservation_id;
  request.posting = PostingMark{adapter.info().name, attempt, engine_->clock().now()};
  const auto marked = co_await mark(engine_, std::move(request));
  if (!marked) {
    engine_->report_store_error(StoreErrorEvent::Kind::unavailable, "mark", flight_->message().key,
                                marked.error().what());
    if (errors_.empty()) co_return SendOutcome(marked.error_ptr());
    co_return rejected();
  }
  if (*marked == MarkResult::not_owner) {
    engine_->report_store_error(StoreErrorEvent::Kind::not_owner, "mark", flight_->message().key,
                                "the key was released or taken over before its message was sent");
    if (errors_.empty()) {
      co_return SendOutcome(SendAbortedError("the key was released or taken over; nothing was sent"));
    }
    co_return rejected();
  }
  co_return stopped();
}

Task<std::optional<AdapterOutcome>> SendFlow::make_attempt(std::shared_ptr<Adapter> adapter, AdapterMessage message,
                                                           int attempt) {
  const auto& options = engine_->options();
  AttemptRun::Limits limits{options.queue_timeout, AttemptGate::Reason::queue_timeout, options.timeout};
  if (const auto deadline = flight_->deadline()) {
    const auto left = *deadline - engine_->clock().boot_time();
    if (left < limits.queue) limits = {left, AttemptGate::Reason::deadline, options.timeout};
  }
  SendContext context;
  context.attempt = attempt;
  context.timeout = options.timeout;
  context.late_answer_window = options.late_answer_window;
  context.now = engine_->clock().now();
  context.transport = options.transport;

  const auto run = std::make_shared<AttemptRun>(options.clock, adapter, limits);
  run->start(std::move(message), std::move(context), last_check());
  flight_->on_cancel([run, flight = flight_.get()] {
    run->stop(flight->closing() ? AttemptGate::Reason::client_closed : AttemptGate::Reason::caller);
  });
  AttemptEnd end = co_await run->end();
  flight_->on_cancel({});
  run->forget_timers();

  using Reason = AttemptGate::Reason;
  switch (end.kind) {
    case AttemptEnd::Kind::answered:
      break;
    case AttemptEnd::Kind::threw:
      thrown_ = end.thrown;
      co_return Unknown{UnknownReason::adapter_exception, {}};
    case AttemptEnd::Kind::not_sent:
      if (end.reason == Reason::timeout || end.reason == Reason::queue_timeout) {
        co_return never_connected(adapter->info().name);
      }
      if (end.reason == Reason::none) break;
      refused_ = end.reason;
      co_return std::nullopt;
    case AttemptEnd::Kind::gave_up:
      open_ = run;
      engine_->late_answers().enter(run);
      co_return Unknown{end.reason == Reason::caller || end.reason == Reason::client_closed ? UnknownReason::aborted
                                                                                            : UnknownReason::timeout,
                        {}};
  }
  co_return std::move(end.outcome);
}

Task<bool> SendFlow::pause(nanoseconds delay) {
  const auto over = std::make_shared<Rendezvous<bool>>();
  const auto timer = engine_->clock().after(delay, [over] { over->offer(true); });
  flight_->on_cancel([over] { over->offer(false); });
  const bool elapsed = co_await *over;
  flight_->on_cancel({});
  timer->cancel();
  co_return elapsed;
}

AttemptGate::Check SendFlow::last_check() const {
  return [engine = engine_, flight = flight_, claimed_at = claimed_at_] {
    if (flight->cancelled()) {
      return flight->closing() ? AttemptGate::Reason::client_closed : AttemptGate::Reason::caller;
    }
    const auto now = engine->clock().boot_time();
    if (const auto deadline = flight->deadline(); deadline && now >= *deadline) return AttemptGate::Reason::deadline;
    const auto& options = engine->options();
    if (claimed_at && now - *claimed_at + options.timeout >= options.idempotency->stale_reservation) {
      return AttemptGate::Reason::reservation_age;
    }
    return AttemptGate::Reason::none;
  };
}

SendFlow::Ended SendFlow::stopped() const {
  if (flight_->cancelled()) {
    return stopped_because(flight_->closing() ? AttemptGate::Reason::client_closed : AttemptGate::Reason::caller);
  }
  if (const auto deadline = flight_->deadline(); deadline && engine_->clock().boot_time() >= *deadline) {
    return stopped_because(AttemptGate::Reason::deadline);
  }
  return std::nullopt;
}

SendOutcome SendFlow::stopped_because(AttemptGate::Reason reason) const {
  const auto aborted = [this](const char* why) { return SendOutcome(SendAbortedError(why).with_attempts(attempts_)); };
  switch (reason) {
    case AttemptGate::Reason::deadline:
      return errors_.empty() ? aborted("the deadline passed before anything was sent") : rejected();
    case AttemptGate::Reason::reservation_age:
      return errors_.empty() ? aborted("the claim on the key became too old before anything was sent") : rejected();
    case AttemptGate::Reason::client_closed:
      return aborted("the client was closed with nothing in flight");
    case AttemptGate::Reason::none:
    case AttemptGate::Reason::queue_timeout:
    case AttemptGate::Reason::timeout:
    case AttemptGate::Reason::caller:
      break;
  }
  return aborted("cancelled with nothing in flight");
}

SendOutcome SendFlow::stopped_while_waiting() const {
  const auto& message = flight_->message();
  if (keyed()) return IdempotencyInProgressError(message.key, message.started);
  return HandoffUnknownError(UnknownReason::aborted);
}

SendOutcome SendFlow::accepted(const Accepted& outcome) const {
  SendResult result;
  result.id = flight_->message().id;
  result.provider = attempts_.back().provider;
  result.provider_id = outcome.provider_id;
  result.delivery = outcome.delivery;
  result.encoding = flight_->message().estimate.encoding;
  result.segments = flight_->message().estimate.segments;
  for (const auto& attempt : attempts_) {
    if (std::ranges::find(result.attempted_providers, attempt.provider) == result.attempted_providers.end()) {
      result.attempted_providers.push_back(attempt.provider);
    }
  }
  result.attempts = attempts_;
  return result;
}

SendOutcome SendFlow::unknown(const Unknown& outcome) const {
  return SendOutcome(HandoffUnknownError(outcome.reason, outcome.details, thrown_).with_attempts(attempts_));
}

void SendFlow::reject(const Rejected& rejection) {
  auto error = std::static_pointer_cast<const ProviderRejectedError>(
      std::shared_ptr<const Error>(make_rejected_error(rejection)->with_attempts(attempts_)));
  const bool same_adapter = !errors_.empty() && errors_.back()->attempts().back().provider == attempts_.back().provider;
  if (same_adapter) errors_.pop_back();
  errors_.push_back(std::move(error));
}

SendOutcome SendFlow::rejected() const {
  if (errors_.size() == 1) return SendOutcome(errors_.front()->with_attempts(attempts_));
  return SendOutcome(AllProvidersRejectedError(errors_).with_attempts(attempts_));
}

Debt SendFlow::debt_of(const SendOutcome& outcome) const {
  const auto& message = flight_->message();
  Debt debt;
  debt.request.key = message.key;
  debt.request.reservation_id = flight_->message().reservation_id;
  debt.request.ttl = engine_->options().idempotency->ttl;
  debt.request.send_at = message.input->send_at;
  if (outcome) {
    debt.request.record = AcceptedRecord{message.fingerprint, *outcome, {}};
  } else if (outcome.error().code() == ErrorCode::handoff_unknown) {
    debt.request.record = UnknownRecord{message.fingerprint, outcome.error().serialize(), {}};
  } else {
    debt.request.record = RejectedRecord{message.fingerprint, outcome.error().serialize(), {}};
  }
  return debt;
}

void SendFlow::watch_late_answer() const {
  if (!open_) return;
  const auto run = open_;
  const auto late = [flow = *this](std::optional<AdapterOutcome> answer) {
    if (answer) {
      settle_late(flow, *std::move(answer));
    } else {
      flow.engine_->late_answers().leave(flow.open_);
    }
  };
  const auto window = engine_->abandoned() ? nanoseconds(0) : nanoseconds(engine_->options().late_answer_window);
  run->watch(window, late);
}

Detached SendFlow::settle_late(SendFlow flow, AdapterOutcome outcome) {
  auto& attempt = flow.attempts_.back();
  attempt = attempt_of(attempt.provider, attempt.attempt, outcome, attempt.duration);
  std::optional<SendOutcome> settled;
  if (const auto* yes = std::get_if<Accepted>(&outcome)) settled = flow.accepted(*yes);
  if (const auto* no = std::get_if<Rejected>(&outcome)) {
    flow.reject(*no);
    settled = flow.rejected();
  }
  if (settled) {
    if (flow.keyed() && flow.engine_->store()->evidence() != nullptr) {
      Debt debt = flow.debt_of(*settled);
      debt.evidence = true;
      co_await write(flow.engine_, std::move(debt));
    }
    flow.engine_->report_late(*flow.flight_, *settled);
  }
  flow.engine_->late_answers().leave(flow.open_);
}

}  // namespace sms::detail
