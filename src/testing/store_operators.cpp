#include "testing/store_checks.hpp"
#include "testing/store_operator_requests.hpp"

#include <algorithm>

namespace sms::testing::checks {

using namespace std::chrono_literals;

void shown_keys(StoreProbe& store) {
  store.expect(!store.operators().show("nothing", StoreProbe::now()), "a key is shown that was never used");
  store.expect(store.claims("order:1", owner_1), "a free key could not be claimed");
  const auto reserved = store.operators().show("order:1", StoreProbe::now());
  store.expect(reserved && reserved->key == "order:1" && reserved->reservation_id == owner_1 && !reserved->stale &&
                   !reserved->malformed && !reserved->expires_at && reserved->since,
               "a fresh reservation is shown as something else");
  store.store_final("order:2", owner_2, accepted());
  const auto final_record = store.operators().show("order:2", StoreProbe::now());
  store.expect(final_record && final_record->record == to_record(accepted()) &&
                   final_record->reservation_id == owner_2 && final_record->expires_at && final_record->since,
               "an accepted record is shown as something else");
  store.expect(final_record && !final_record->open_since, "an accepted record is shown as one that needs an operator");
  store.store_final("unknown", owner_1, unknown());
  const auto open = store.operators().show("unknown", StoreProbe::now());
  store.expect(open && open->since && open->open_since == open->since,
               "an unknown record does not show since when it needs an operator");
  store.expect(reserved && reserved->since && reserved->open_since && *reserved->open_since - *reserved->since >= 300s,
               "a fresh reservation does not show when it will need an operator");
  store.store_final("order:3", owner_1, accepted("SM3"), 1ms);
  StoreProbe::wait(10ms);
  store.expect(!store.operators().show("order:3", StoreProbe::now()), "an expired record is shown");
}

void tokens(StoreProbe& store) {
  auto changes = [&, last = std::string()](std::string_view what) mutable {
    const auto token = store.token("order:1");
    store.expect(!token.empty() && token != last, std::string("the token stays the same after ") + std::string(what));
    store.expect(token == store.token("order:1"), "the token changes while the record does not");
    last = token;
  };
  store.expect(store.claims("order:1", owner_1), "a free key could not be claimed");
  changes("a claim");
  if (store.store().evidence() != nullptr) {
    MarkRequest mark;
    mark.key = "order:1";
    mark.reservation_id = owner_1;
    mark.posting = {"twilio", 1, StoreProbe::now()};
    store.expect(store.mark(mark) == MarkResult::marked, "the owner could not mark its key");
    changes("a mark");
  }
  store.expect(store.finalize(finalize_request("order:1", owner_1, unknown())) == FinalizeResult::finalized,
               "the owner could not finalize its key");
  changes("a final record");
  store.expect(store.operators().release(release_request(store, "order:1")) == OperatorResult::done,
               "an unknown key could not be released");
  store.store_final("order:1", owner_2, unknown());
  changes("a release and another send with the same outcome");
}

void resolved_keys(StoreProbe& store) {
  store.store_final("unknown", owner_1, unknown());
  claim_stale(store, "stale", owner_1);
  for (const auto& key : {"unknown", "stale"}) {
    const auto id = std::string("SM") + key;
    store.expect(store.operators().resolve(resolve_request(store, key, id)) == OperatorResult::done,
                 std::string("a key could not be resolved that is ") + key);
    const auto answer = store.reserve(reserve_request(key, owner_2));
    const auto* existing = std::get_if<Existing>(&answer);
    const auto* record = existing == nullptr ? nullptr : std::get_if<AcceptedRecord>(&existing->record);
    store.expect(record != nullptr && record->result.provider == "twilio" && record->result.provider_id == id &&
                     record->fingerprint == fingerprint_a && record->result.id.starts_with("sms_"),
                 "a resolved key does not replay the operator's evidence");
  }
  const auto kept = store.get("unknown");
  store.expect(kept && std::get<AcceptedRecord>(*kept).result.attempts.size() == 1,
               "the attempts before a resolve are lost");
  store.expect(store.finalize(finalize_request("stale", owner_1, unknown())) == FinalizeResult::not_owner,
               "the late owner overwrote what an operator resolved");
}

void resolve_refused(StoreProbe& store) {
  auto& operators = store.operators();
  auto nothing = resolve_request("nothing", "token", "SM8");
  store.expect(operators.resolve(nothing) == OperatorResult::not_found, "a key was resolved that does not exist");

  store.expect(store.claims("fresh", owner_1), "a free key could not be claimed");
  store.store_final("accepted", owner_1, accepted("SM1"));
  store.store_final("rejected", owner_1, rejected());
  for (const auto& key : {"fresh", "accepted", "rejected"}) {
    const auto before = store.get(key);
    store.expect(operators.resolve(resolve_request(store, key, "SM8")) == OperatorResult::not_open,
                 std::string("a key was resolved that is ") + key);
    store.expect(store.get(key) == before, "a refused resolve changed the record");
  }

  store.store_final("unknown", owner_1, unknown());
  auto changed = resolve_request(store, "unknown", "SM8");
  changed.token = store.token("accepted");
  store.expect(operators.resolve(changed) == OperatorResult::changed, "a key was resolved with another key's token");
  store.expect(operators.resolve(resolve_request(store, "unknown", "SM1")) == OperatorResult::id_in_use,
               "one message was given to two keys");
  store.expect_record("unknown", unknown(), "a refused resolve changed the record");
  store.expect(operators.audit(10, std::nullopt).empty(), "a refused resolve left an audit row");
}

void released_keys(StoreProbe& store) {
  store.store_final("unknown", owner_1, unknown());
  claim_stale(store, "stale", owner_1);
  for (const auto& key : {"unknown", "stale"}) {
    store.expect(store.operators().release(release_request(store, key)) == OperatorResult::done,
                 std::string("a key could not be released that is ") + key);
    store.expect(!store.get(key), "a released key still has a record");
    store.expect(store.finalize(finalize_request(key, owner_1, accepted())) == FinalizeResult::not_owner,
                 "the owner before could finalize a released key");
    auto again = reserve_request(key, owner_2);
    again.stale_reservation = 1ms;
    store.expect(store.claims(again), "a released key could not be claimed");
  }
}

void release_refused(StoreProbe& store) {
  auto& operators = store.operators();
  ReleaseRequest nothing = release_request("nothing", "token");
  store.expect(operators.release(nothing) == OperatorResult::not_found, "a key was released that does not exist");

  store.expect(store.claims("fresh", owner_1), "a free key could not be claimed");
  store.expect(operators.release(release_request(store, "fresh")) == OperatorResult::not_open,
               "a key was released whose send is under way");
  store.expect_reserved("fresh", owner_1, "a refused release changed the record");

  store.store_final("accepted", owner_1, accepted());
  for (const bool force : {false, true}) {
    auto request = release_request(store, "accepted");
    request.force = force;
    store.expect(operators.release(request) == OperatorResult::not_open, "an accepted key was released");
  }
  store.expect_record("accepted", accepted(), "a refused release changed the record");

  store.store_final("unknown", owner_1, unknown());
  auto before = release_request(store, "unknown");
  store.expect(operators.resolve(resolve_request(store, "unknown", "SM7")) == OperatorResult::done,
               "an unknown key could not be resolved");
  store.expect(operators.release(before) == OperatorResult::changed,
               "a key was released on a token from before another operator's change");
  before.force = true;
  store.expect(operators.release(before) == OperatorResult::changed, "force made a release ignore its token");
  store.expect(operators.audit(10, std::nullopt).size() == 1, "a refused release left an audit row");
}

void release_settles(StoreProbe& store) {
  store.store_final("unknown", owner_1, unknown());
  claim_stale(store, "stale", owner_1);
  for (const auto& key : {"unknown", "stale"}) {
    auto request = release_request(store, key);
    request.settle = 1h;
    store.expect(store.operators().release(request) == OperatorResult::not_settled,
                 "a key was released while its request may still be on the way");
    store.expect(store.get(key).has_value(), "a refused release removed the record");
    request.force = true;
    store.expect(store.operators().release(request) == OperatorResult::done, "a forced release was refused");
  }
  store.expect(store.claims("fresh", owner_1), "a free key could not be claimed");
  auto request = release_request(store, "fresh");
  request.force = true;
  store.expect(store.operators().release(request) == OperatorResult::done,
               "a forced release of a fresh reservation was refused");
}

void largest_staleness(StoreProbe& store) {
  claim_stale(store, "order:1", owner_1);
  store.expect(store.operators().show("order:1", StoreProbe::now())->stale, "an old reservation is not stale");
  auto patient = reserve_request("order:2", owner_2);
  patient.stale_reservation = 1h;
  store.expect(store.claims(patient), "a free key could not be claimed");
  store.expect(!store.operators().show("order:1", StoreProbe::now())->stale,
               "a reservation is stale before the most patient client of the store would call it so");
  claim_stale(store, "order:3", owner_1);
  store.expect(!store.operators().show("order:3", StoreProbe::now())->stale, "the most patient client was forgotten");
}

void audit_rows(StoreProbe& store) {
  auto& operators = store.operators();
  store.store_final("order:1", owner_1, unknown());
  store.store_final("order:2", owner_2, unknown());
  store.expect(operators.audit(10, std::nullopt).empty(), "there are audit rows before an operator did anything");
  const auto before = store.get("order:1");
  store.expect(operators.resolve(resolve_request(store, "order:1", "SM1")) == OperatorResult::done,
               "an unknown key could not be resolved");
  store.expect(operators.release(release_request(store, "order:2")) == OperatorResult::done,
               "an unknown key could not be released");

  const auto all = operators.audit(10, std::nullopt);
  store.expect(all.size() == 2 && all[0].key == "order:2" && all[1].key == "order:1",
               "the audit rows are not one for each change, newest first");
  store.expect(operators.audit(1, std::nullopt).size() == 1, "audit answers more rows than asked for");
  const auto one = operators.audit(10, std::string("order:1"));
  store.expect(one.size() == 1 && one[0].who == "operator@example" && one[0].why == "looked it up" &&
                   !one[0].action.empty() && before && one[0].before == to_json(*before),
               "an audit row does not say who changed what, and why");
}

}  // namespace sms::testing::checks
