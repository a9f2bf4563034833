#include "testing/store_checks.hpp"

#include <cstdlib>
#include <set>

namespace sms::testing::checks {

void absent_key(StoreProbe& store) {
  store.expect(!store.get("nothing"), "get answers a record for a key that was never used");
  store.expect(store.finalize(finalize_request("nothing", owner_1, accepted())) == FinalizeResult::not_owner,
               "finalize owns a key that was never claimed");
  store.expect(!store.get("nothing"), "a refused finalize wrote a record");
}

void free_key(StoreProbe& store) {
  store.expect(store.claims("order:1", owner_1), "a free key could not be claimed");
  const auto record = store.get("order:1");
  const auto* reserved = record ? std::get_if<ReservedRecord>(&*record) : nullptr;
  if (reserved == nullptr) return store.expect(false, "a claimed key is not reserved");
  store.expect(reserved->fingerprint == fingerprint_a, "the reservation has another fingerprint");
  store.expect(reserved->reservation_id == owner_1, "the reservation has another ID");
  store.expect(std::chrono::abs(StoreProbe::now() - reserved->reserved_at) < std::chrono::minutes(10),
               "the reservation does not say when it was made");
  store.expect(!reserved->posting, "a new reservation has a posting mark");
}

void held_key(StoreProbe& store) {
  store.expect(store.claims("order:1", owner_1), "a free key could not be claimed");
  for (const auto& fingerprint : {fingerprint_a, fingerprint_b}) {
    const auto answer = store.reserve(reserve_request("order:1", owner_2, fingerprint));
    const auto* existing = std::get_if<Existing>(&answer);
    if (existing == nullptr) {
      store.expect(false, "two callers claimed one key");
      continue;
    }
    const auto* reserved = std::get_if<ReservedRecord>(&existing->record);
    store.expect(reserved != nullptr && reserved->reservation_id == owner_1 && reserved->fingerprint == fingerprint_a,
                 "Existing does not show the holder's reservation");
  }
  store.expect_reserved("order:1", owner_1, "a refused claim changed the reservation");
}

void own_claim(StoreProbe& store) {
  store.expect(store.claims("order:1", owner_1), "a free key could not be claimed");
  store.expect(store.claims("order:1", owner_1), "a claim repeated after a lost answer was refused");
  store.expect_reserved("order:1", owner_1, "a repeated claim changed the reservation");
  store.expect(store.finalize(finalize_request("order:1", owner_1, accepted())) == FinalizeResult::finalized,
               "the owner could not finalize after a repeated claim");
  store.expect(!store.claims("order:1", owner_1), "a late repetition of a claim took over its own accepted record");
  store.expect_record("order:1", accepted(), "a late repetition of a claim changed the record");
}

void settled_key(StoreProbe& store) {
  store.store_final("accepted", owner_1, accepted());
  store.store_final("unknown", owner_1, unknown());
  for (const auto& [key, record] : {std::pair("accepted", accepted()), std::pair("unknown", unknown())}) {
    for (const auto& fingerprint : {fingerprint_a, fingerprint_b}) {
      const auto answer = store.reserve(reserve_request(key, owner_2, fingerprint));
      const auto* existing = std::get_if<Existing>(&answer);
      store.expect(existing != nullptr, std::string("a key was claimed that is ") + key);
      if (existing != nullptr) {
        store.expect(existing->record == to_record(record), "Existing shows another record than the stored one");
      }
    }
    store.expect_record(key, record, "a refused claim changed the record");
  }
}

void rejected_key(StoreProbe& store) {
  store.store_final("order:1", owner_1, rejected());
  store.expect(!store.claims(reserve_request("order:1", owner_2, fingerprint_b)),
               "a rejected key was claimed for another message");
  store.expect_record("order:1", rejected(), "a refused claim changed the record");
  store.expect(store.claims("order:1", owner_2), "a rejected key could not be claimed for the same message");
  store.expect_reserved("order:1", owner_2, "a claimed key is not reserved");
  store.expect(store.finalize(finalize_request("order:1", owner_1, accepted())) == FinalizeResult::not_owner,
               "the sender before can finalize a key that another one claimed");
  store.expect_reserved("order:1", owner_2, "the sender before changed a key that another one claimed");
}

void distinct_keys(StoreProbe& store) {
  const std::set<std::string> keys = {"order:1",
                                      "Order:1",
                                      "order:1 ",
                                      "order:10",
                                      "order:",
                                      "o_der:1",
                                      "%",
                                      "'; drop table sms_idempotency; --",
                                      "\"quoted\"",
                                      "{brace}",
                                      "__proto__",
                                      "h\u00e9llo",
                                      "he\u0301llo",
                                      "\U0001F600",
                                      std::string(255, 'k'),
                                      std::string(254, 'k')};
  int number = 0;
  for (const auto& key : keys) {
    store.expect(store.claims(key, std::to_string(++number)), "two different keys are taken for one");
  }
  number = 0;
  for (const auto& key : keys) store.expect_reserved(key, std::to_string(++number), "two keys share one record");
}

}  // namespace sms::testing::checks
