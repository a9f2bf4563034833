#include "core/send_flow.hpp"
#include "core/store_calls.hpp"

#include <algorithm>
#include <utility>

namespace sms::detail {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

constexpr milliseconds first_poll{25};
constexpr milliseconds longest_poll{1'000};

SendOutcome in_progress(const Flight& flight, WallTime since) {
  return IdempotencyInProgressError(flight.message().key, since);
}

}  // namespace

Task<SendFlow::Ended> SendFlow::claim() {
  const auto& message = flight_->message();
  for (;;) {
    ReserveRequest request;
    request.key = message.key;
    request.fingerprint = message.fingerprint;
    request.reservation_id = message.reservation_id;
    request.stale_reservation = engine_->options().idempotency->stale_reservation;

    const auto begun = engine_->clock().boot_time();
    auto answer = co_await reserve(engine_, std::move(request));
    if (!answer) {
      engine_->report_store_error(StoreErrorEvent::Kind::unavailable, "reserve", message.key, answer.error().what());
      co_return SendOutcome(answer.error_ptr());
    }
    if (std::holds_alternative<Reserved>(*answer)) {
      claimed_at_ = begun;
      co_return std::nullopt;
    }

    auto& existing = std::get<Existing>(*answer);
    if (const auto* held = std::get_if<ReservedRecord>(&existing.record)) {
      if (auto debt = engine_->owed().find(message.key, held->reservation_id)) {
        if (auto ended = co_await pay_own_debt(*std::move(debt))) co_return ended;
        continue;
      }
      if (!existing.age) existing.age = std::max(engine_->clock().now() - held->reserved_at, milliseconds(0));
    }
    if (auto ended = judge(existing.record, existing.age)) co_return ended;
    if (auto ended = co_await wait_for_other(std::move(existing))) co_return ended;
  }
}

SendFlow::Ended SendFlow::judge(const IdempotencyRecord& record, std::optional<nanoseconds> age) const {
  const auto& message = flight_->message();
  if (fingerprint_of(record) != message.fingerprint) {
    return SendOutcome(IdempotencyConflictError(message.key, state_of(record)));
  }
  if (const auto* accepted = std::get_if<AcceptedRecord>(&record)) {
    SendResult result = accepted->result;
    result.replayed = true;
    return SendOutcome(std::move(result));
  }
  if (const auto* unknown = std::get_if<UnknownRecord>(&record)) {
    const HandoffUnknownError error(UnknownReason::replayed_unknown, unknown->error.provider);
    return SendOutcome(error.with_attempts(unknown->error.attempts));
  }
  if (std::holds_alternative<ReservedRecord>(record) && age > engine_->options().idempotency->stale_reservation) {
    return SendOutcome(HandoffUnknownError(UnknownReason::stale_reservation));
  }
  return std::nullopt;
}

Task<SendFlow::Ended> SendFlow::pay_own_debt(Debt debt) {
  if (co_await pay(engine_, debt)) co_return std::nullopt;
  // The store cannot be written just now, but what it should say is known.
  if (auto ended = judge(to_record(debt.request.record), std::nullopt)) co_return ended;
  co_return SendOutcome(StoreUnavailableError("finalize", "an earlier outcome of this key could not be written yet"));
}

/// Waits while another sender holds a fresh reservation. Ends the send, or lets it try a claim of its own.
Task<SendFlow::Ended> SendFlow::wait_for_other(Existing existing) {
  ReservedRecord held;
  if (auto* reservation = std::get_if<ReservedRecord>(&existing.record)) held = std::move(*reservation);
  auto held_since = engine_->clock().boot_time() - existing.age.value_or(milliseconds(0));
  for (nanoseconds poll = first_poll;; poll = std::min<nanoseconds>(poll * 2, longest_poll)) {
    const auto now = engine_->clock().boot_time();
    const auto patient_until = flight_->release_impatient(now, held.reserved_at);
    if (!patient_until) co_return in_progress(*flight_, held.reserved_at);
    if (!co_await pause(std::min<nanoseconds>(poll, *patient_until - now))) {
      co_return in_progress(*flight_, held.reserved_at);
    }

    const auto seen = co_await look(engine_, flight_->message().key);
    if (!seen) continue;
    if (!*seen) co_return std::nullopt;
    const auto& record = **seen;
    if (const auto* reservation = std::get_if<ReservedRecord>(&record)) {
      if (reservation->reservation_id != held.reservation_id) held_since = engine_->clock().boot_time();
      held = *reservation;
    }
    if (auto ended = judge(record, engine_->clock().boot_time() - held_since)) co_return ended;
    if (!std::holds_alternative<ReservedRecord>(record)) co_return std::nullopt;
  }
}

}  // namespace sms::detail
