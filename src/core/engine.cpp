#include "core/engine.hpp"

#include <sms/error.hpp>
#include <sms/fingerprint.hpp>
#include <sms/phone_number.hpp>
#include <sms/redaction.hpp>

#include "core/send_flow.hpp"
#include "core/store_calls.hpp"
#include "core/sync_wait.hpp"
#include "core/validation_rules.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <thread>
#include <utility>

namespace sms::detail {
namespace {

using std::chrono::steady_clock;

std::string hex(const std::array<std::uint8_t, 16>& bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (const auto byte : bytes) {
    text += digits[byte >> 4U];
    text += digits[byte & 15U];
  }
  return text;
}

/// One send from its first step to its last.
Detached fly(std::shared_ptr<Engine> engine, std::shared_ptr<Flight> flight, bool waited) {
  std::optional<SendOutcome> outcome;
  try {
    SendFlow flow(engine, flight, waited);
    outcome = co_await flow.run();
  } catch (...) {
    // Out of memory, or no randomness: whether something left is not known any more.
    outcome = HandoffUnknownError(UnknownReason::adapter_exception, {}, std::current_exception());
  }
  engine->ended(flight, *std::move(outcome));
}

}  // namespace

Engine::Engine(ClientOptions checked_options)
    : options_(std::move(checked_options)), process_(getpid()), hooks_(options_.executor) {
  if (auto* const store = this->store(); store != nullptr && store->evidence() != nullptr) {
    posts_marks_ = options_.idempotency->posting_mark.value_or(store->shared());
  }
}

bool Engine::at_home() const noexcept { return getpid() == process_; }

std::shared_ptr<const Error> Engine::refusal(const SendInput& input, const SendOptions& options) const {
  if (!at_home()) {
    return std::make_shared<ConfigurationError>(
        "this client was made in another process; make one after the fork, since both would use the same state");
  }
  const auto now = clock().now();
  if (auto error = first_error(input, options_.adapters, now)) return error;
  if (options.issued_at && options_.idempotency) {
    const auto ttl = options_.idempotency->ttl;
    if (*options.issued_at < now - (ttl - ttl / 10)) {
      return std::make_shared<InvalidMessageError>(
          "issuedAt must be less than nine tenths of ttl ago: the outcome of an older job may have been forgotten",
          "issuedAt");
    }
  }
  if (closed()) return std::make_shared<SendAbortedError>("the client is closed");
  if (options.stop.stop_requested()) return std::make_shared<SendAbortedError>("cancelled before anything was sent");
  if (options.deadline && *options.deadline <= steady_clock::now()) {
    return std::make_shared<SendAbortedError>("the deadline passed before anything was sent");
  }
  return nullptr;
}

void Engine::begin(std::shared_ptr<const SendInput> input, const SendOptions& options,
                   UniqueFunction<void(SendOutcome)> done) {
  if (auto error = refusal(*input, options)) return done(SendOutcome(std::move(error)));

  Flight::Message message;
  message.key = input->idempotency_key.value_or(std::string());
  if (!message.key.empty()) message.fingerprint = fingerprint(*input, options_.adapters);
  message.reservation_id = hex(options_.entropy->draw());
  message.id = "sms_" + message.reservation_id;
  message.trace_context = options.trace_context;
  message.started = clock().now();
  message.estimate = estimate_segments(input->body);
  message.input = std::move(input);

  const auto now = clock().boot_time();
  Caller caller;
  caller.done = std::move(done);
  const auto patience =
      options.in_progress.value_or(options_.idempotency ? options_.idempotency->in_progress : InProgress{}).wait_up_to;
  caller.patience_end =
      now + std::clamp<std::chrono::milliseconds>(patience, std::chrono::milliseconds(0), std::chrono::hours(24 * 365));
  if (options.deadline) {
    caller.deadline =
        now + std::chrono::duration_cast<std::chrono::nanoseconds>(*options.deadline - steady_clock::now());
    caller.patience_end = std::min(caller.patience_end, *caller.deadline);
  }

  const auto candidate = std::make_shared<Flight>(std::move(message), store() != nullptr);
  // It has its caller before others can see it: one of them could end it otherwise before this one came.
  auto id = candidate->join(caller);
  const auto enter = [&] {
    candidate->watch(*id, options.stop, candidate);
    if (closed()) candidate->cancel(true);  // `close` may have counted before this one was there.
  };
  for (;;) {
    const auto [flight, is_new] = flights_.enter(candidate);
    if (is_new) {
      enter();
      fly(shared_from_this(), candidate, false);
      return;
    }
    caller = candidate->withdraw();
    if (flight->message().fingerprint != candidate->message().fingerprint) {
      return caller.done(IdempotencyConflictError(candidate->message().key, RecordState::reserved));
    }
    if (const auto joined = flight->join(caller)) return flight->watch(*joined, options.stop, flight);
    // That flight is being cancelled or is just ending: the next one starts when it has ended.
    id = candidate->join(caller);
    if (!flights_.replace(flight, candidate)) continue;
    enter();
    return flight->after([engine = shared_from_this(), candidate] { engine->launch(candidate); });
  }
}

void Engine::launch(std::shared_ptr<Flight> flight) {
  std::unique_lock lock(launch_mutex_);
  ready_.push_back(std::move(flight));
  if (std::exchange(launching_, true)) return;
  while (!ready_.empty()) {
    auto next = std::move(ready_.front());
    ready_.pop_front();
    lock.unlock();
    fly(shared_from_this(), std::move(next), true);
    lock.lock();
  }
  launching_ = false;
}

void Engine::ended(const std::shared_ptr<Flight>& flight, SendOutcome outcome) {
  flights_.remove(flight);
  flight->finish(std::move(outcome));
}

ValidationResult Engine::validate(const SendInput& input) const {
  return detail::validate(input, options_.adapters, clock().now());
}

SettleResult Engine::settle(const std::string& key, const SendResult& result) {
  if (store() == nullptr || store()->evidence() == nullptr) {
    throw ConfigurationError("settle needs an idempotency store that takes evidence");
  }
  const auto there = sync_wait(look(shared_from_this(), key));
  const auto& record = there.value();
  if (!record) return SettleResult::kept;
  FinalizeRequest request;
  request.key = key;
  request.reservation_id = result.id.starts_with("sms_") ? result.id.substr(4) : result.id;
  SendResult stored = result;
  stored.replayed = false;
  request.record = AcceptedRecord{fingerprint_of(*record), std::move(stored), {}};
  request.ttl = options_.idempotency->ttl;
  return sync_wait(detail::settle(shared_from_this(), std::move(request))).value();
}

void Engine::wait_until(steady_clock::time_point deadline, const std::function<bool()>& over) {
  constexpr std::chrono::milliseconds step{2};
  closed_.store(true, std::memory_order_release);
  while (!over() && steady_clock::now() < deadline) std::this_thread::sleep_for(step);
}

CloseReport Engine::close(steady_clock::time_point deadline) {
  closed_.store(true, std::memory_order_release);
  owed_.wake_all(true);
  wait_until(deadline, [this] { return flights_.size() == 0 && late_.size() == 0 && owed_.size() == 0; });

  CloseReport report;
  report.unfinished_sends = flights_.size();
  report.late_answers = late_.size();
  report.owed = owed_.list();
  stop_all();
  hooks_.drain(deadline);
  report.dropped_hooks = hooks_.dropped();
  return report;
}

void Engine::shut(steady_clock::time_point deadline) {
  wait_until(deadline, [this] { return flights_.size() == 0; });
  stop_all();
  for (const auto& flight : flights_.all()) ended(flight, HandoffUnknownError(UnknownReason::aborted));
  owed_.wake_all(false);
  hooks_.close(deadline);
}

void Engine::stop_all() {
  abandoned_.store(true, std::memory_order_release);
  for (const auto& flight : flights_.all()) flight->cancel(true);
  late_.abandon_all();
}

ClientCounters Engine::counters() const {
  ClientCounters counters;
  counters.duplicates_detected = duplicates_.load(std::memory_order_relaxed);
  counters.late_outcomes = late_outcomes_.load(std::memory_order_relaxed);
  counters.owed_outcomes = owed_.size();
  counters.dropped_hooks = hooks_.dropped();
  return counters;
}

double Engine::random() {
  const auto bytes = options_.entropy->draw();
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.data(), sizeof bits);
  return static_cast<double>(bits >> 11U) * 0x1p-53;
}

SendInfo Engine::info_of(const Flight& flight) const {
  const auto& message = flight.message();
  SendInfo info;
  info.id = message.id;
  info.trace_context = message.trace_context;
  info.to = mask_phone_number(message.input->to);
  info.encoding = message.estimate.encoding;
  info.segments = message.estimate.segments;
  if (!message.key.empty()) info.key = redact_text(message.key);
  return info;
}

void Engine::report_outcome(const Flight& flight, std::vector<Attempt> attempts, const SendOutcome& outcome) {
  const auto& hooks = options_.hooks;
  if (!hooks.on_attempt && !hooks.on_accepted && !hooks.on_failure) return;
  hooks_.post(flight.message().id,
              [engine = shared_from_this(), info = info_of(flight), attempts = std::move(attempts), outcome] {
                const auto quietly = [](const auto& hook, const auto&... args) {
                  try {
                    if (hook) hook(args...);
                  } catch (...) {  // An observer's own trouble.
                  }
                };
                const auto& observers = engine->options_.hooks;
                for (const auto& attempt : attempts) quietly(observers.on_attempt, info, attempt);
                if (outcome) {
                  quietly(observers.on_accepted, info, *outcome);
                } else {
                  quietly(observers.on_failure, info, outcome.error());
                }
              });
}

void Engine::report_late(const Flight& flight, const SendOutcome& outcome) {
  late_outcomes_.fetch_add(1, std::memory_order_relaxed);
  if (!options_.hooks.on_late_outcome) return;
  LateOutcomeEvent event;
  event.send = info_of(flight);
  if (outcome) {
    event.result = *outcome;
  } else {
    event.error = outcome.error_ptr();
  }
  hooks_.post(flight.message().id, [engine = shared_from_this(), event = std::move(event)] {
    engine->options_.hooks.on_late_outcome(event);
  });
}

void Engine::report_store_error(StoreErrorEvent::Kind kind, std::string operation, const std::string& key,
                                std::string message) {
  if (kind == StoreErrorEvent::Kind::duplicate_detected) duplicates_.fetch_add(1, std::memory_order_relaxed);
  if (!options_.hooks.on_store_error) return;
  StoreErrorEvent event{kind, std::move(operation), redact_text(key), redact_text(message)};
  hooks_.post(
      key, [engine = shared_from_this(), event = std::move(event)] { engine->options_.hooks.on_store_error(event); });
}

}  // namespace sms::detail
