#include "core/store_calls.hpp"

#include <algorithm>
#include <utility>

namespace sms::detail {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

constexpr milliseconds first_pause{50};
constexpr milliseconds longest_pause{1'000};

const IdempotencyOptions& idempotency(const Engine& engine) { return *engine.options().idempotency; }

template <class T, class Start>
Bounded<Expected<T>> bounded(const Engine& engine, nanoseconds limit, const char* operation, Start start) {
  auto answer = std::make_shared<Rendezvous<Expected<T>>>();
  try {
    start(Callback<T>([answer](Expected<T> result) { answer->offer(std::move(result)); }));
  } catch (...) {
    answer->offer(StoreUnavailableError(operation, "the store threw", std::current_exception()));
  }
  std::shared_ptr<Timer> timer;
  if (!answer->claimed()) {
    timer = engine.clock().after(limit, [answer, operation] {
      answer->offer(StoreUnavailableError(operation, "the store did not answer in time"));
    });
  }
  return Bounded<Expected<T>>(std::move(answer), std::move(timer));
}

Bounded<bool> pause_for(const Engine& engine, nanoseconds delay) {
  auto over = std::make_shared<Rendezvous<bool>>();
  auto timer = engine.clock().after(delay, [over] { over->offer(true); });
  return Bounded<bool>(std::move(over), std::move(timer));
}

/// Repeats `call(limit)`, a task of some `Expected`, until it answers a value or `total` is used up.
template <class Call>
auto repeat(std::shared_ptr<Engine> engine, nanoseconds total, Call call) -> decltype(call(total)) {
  const auto until = engine->clock().boot_time() + total;
  for (auto pause = first_pause;; pause = std::min(pause * 2, longest_pause)) {
    auto answer = co_await call(std::max(until - engine->clock().boot_time(), nanoseconds(0)));
    if (answer || engine->clock().boot_time() + pause >= until) co_return answer;
    co_await pause_for(*engine, pause);
  }
}

Task<Expected<ReserveResult>> reserve_once(Engine& engine, ReserveRequest request, nanoseconds limit) {
  request.now = engine.clock().now();
  const std::string asked = request.reservation_id;
  auto answer = co_await bounded<ReserveResult>(engine, limit, "reserve", [&](Callback<ReserveResult> done) {
    engine.store()->reserve(std::move(request), std::move(done));
  });
  const auto* claimed = answer ? std::get_if<Reserved>(&*answer) : nullptr;
  if (claimed != nullptr && claimed->reservation_id != asked) {
    co_return StoreUnavailableError("reserve", "the store answered the claim of another sender");
  }
  co_return answer;
}

Task<Expected<FinalizeResult>> finalize_once(Engine& engine, FinalizeRequest request, nanoseconds limit) {
  request.now = engine.clock().now();
  co_return co_await bounded<FinalizeResult>(engine, limit, "finalize", [&](Callback<FinalizeResult> done) {
    engine.store()->finalize(std::move(request), std::move(done));
  });
}

Task<Expected<SettleResult>> settle_once(Engine& engine, FinalizeRequest request, nanoseconds limit) {
  request.now = engine.clock().now();
  co_return co_await bounded<SettleResult>(engine, limit, "settle", [&](Callback<SettleResult> done) {
    engine.store()->evidence()->settle(std::move(request), std::move(done));
  });
}

Task<Expected<std::optional<IdempotencyRecord>>> look_once(Engine& engine, const std::string& key, nanoseconds limit) {
  co_return co_await bounded<std::optional<IdempotencyRecord>>(
      engine, limit, "get", [&](Callback<std::optional<IdempotencyRecord>> done) {
        engine.store()->get(key, engine.clock().now(), std::move(done));
      });
}

/// One try that ends at `until`. Turns a debt into evidence when the key turns out to be somebody else's.
Task<Expected<Done>> write_once(Engine& engine, Debt& debt, BootClock::time_point until) {
  const auto& request = debt.request;
  const auto left = [&engine, until] {
    return std::clamp<nanoseconds>(until - engine.clock().boot_time(), nanoseconds(0),
                                   idempotency(engine).store_timeout);
  };
  if (!debt.evidence) {
    const auto finalized = co_await finalize_once(engine, request, left());
    if (!finalized) co_return finalized.error_ptr();
    if (*finalized == FinalizeResult::finalized) co_return Done{};
    const auto there = co_await look_once(engine, request.key, left());
    if (!there) co_return there.error_ptr();
    if (*there && to_json(**there) == to_json(request.record)) co_return Done{};
    engine.report_store_error(StoreErrorEvent::Kind::not_owner, "finalize", request.key,
                              "the key was released or taken over while its message was being sent");
    debt.evidence = true;
  }
  if (engine.store()->evidence() == nullptr) co_return Done{};
  const auto settled = co_await settle_once(engine, request, left());
  if (!settled) co_return settled.error_ptr();
  if (*settled == SettleResult::duplicate_detected) {
    engine.report_store_error(StoreErrorEvent::Kind::duplicate_detected, "settle", request.key,
                              "two messages were accepted under this key");
  }
  co_return Done{};
}

/// A claim whose answer was lost must not stay behind as a stale reservation.
Detached give_back(std::shared_ptr<Engine> engine, ReserveRequest claim) {
  FinalizeRequest request;
  request.key = claim.key;
  request.reservation_id = claim.reservation_id;
  request.record = RejectedRecord{claim.fingerprint, StoreUnavailableError("reserve", "gave up").serialize(), {}};
  request.ttl = idempotency(*engine).ttl;
  const auto limit = idempotency(*engine).store_timeout;
  // A reserve that is still on its way may be executed after any of these: keep trying for a while, also when one
  // found a claim. Repeating it where there is none changes nothing.
  const auto until = engine->clock().boot_time() + 3 * limit + idempotency(*engine).finalize_timeout;
  for (milliseconds pause = first_pause; engine->clock().boot_time() < until; pause = std::min(pause * 2, limit)) {
    co_await finalize_once(*engine, request, limit);
    co_await pause_for(*engine, pause);
  }
}

Detached keep_paying(std::shared_ptr<Engine> engine, Debt debt) {
  constexpr milliseconds longest = std::chrono::seconds(30);
  for (milliseconds pause = longest_pause;; pause = engine->closed() ? longest_pause : std::min(pause * 2, longest)) {
    const auto nap = engine->owed().nap(debt);
    if (!nap) co_return;
    const auto timer = engine->clock().after(pause, [nap] { nap->offer(true); });
    const bool go_on = co_await *nap;
    timer->cancel();
    if (!go_on) co_return;
    if (co_await pay(engine, debt)) co_return;
  }
}

}  // namespace

Task<Expected<ReserveResult>> reserve(std::shared_ptr<Engine> engine, ReserveRequest request) {
  auto answer = co_await repeat(engine, idempotency(*engine).store_timeout,
                                [&](nanoseconds limit) { return reserve_once(*engine, request, limit); });
  if (!answer) give_back(engine, std::move(request));
  co_return answer;
}

Task<Expected<MarkResult>> mark(std::shared_ptr<Engine> engine, MarkRequest request) {
  const auto once = [&](nanoseconds limit) -> Task<Expected<MarkResult>> {
    co_return co_await bounded<MarkResult>(*engine, limit, "mark", [&](Callback<MarkResult> done) {
      engine->store()->evidence()->mark(request, std::move(done));
    });
  };
  co_return co_await repeat(engine, idempotency(*engine).store_timeout, once);
}

Task<Expected<std::optional<IdempotencyRecord>>> look(std::shared_ptr<Engine> engine, std::string key) {
  co_return co_await look_once(*engine, key, idempotency(*engine).store_timeout);
}

Task<Expected<SettleResult>> settle(std::shared_ptr<Engine> engine, FinalizeRequest request) {
  co_return co_await settle_once(*engine, std::move(request), idempotency(*engine).store_timeout);
}

Task<void> write(std::shared_ptr<Engine> engine, Debt debt) {
  const auto& options = idempotency(*engine);
  const auto once = [&](nanoseconds limit) { return write_once(*engine, debt, engine->clock().boot_time() + limit); };
  const auto written = co_await repeat(engine, options.finalize_timeout, once);
  if (written) co_return;
  engine->report_store_error(StoreErrorEvent::Kind::unavailable, debt.evidence ? "settle" : "finalize",
                             debt.request.key, written.error().what());
  if (engine->owed().add(debt)) keep_paying(engine, std::move(debt));
}

Task<bool> pay(std::shared_ptr<Engine> engine, Debt debt) {
  auto owed = engine->owed().find(debt.request.key, debt.request.reservation_id);
  if (!owed) co_return true;
  const auto written =
      co_await write_once(*engine, *owed, engine->clock().boot_time() + idempotency(*engine).store_timeout);
  if (written) engine->owed().remove(*owed);
  co_return written && !engine->owed().find(debt.request.key, debt.request.reservation_id);
}

}  // namespace sms::detail
