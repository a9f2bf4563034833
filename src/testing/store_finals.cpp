#include "core/json_reading.hpp"
#include "testing/store_checks.hpp"

#include <array>

namespace sms::testing::checks {

void final_records(StoreProbe& store) {
  int number = 0;
  for (const auto& record : {accepted(), rejected(), unknown()}) {
    const std::string key = "order:" + std::to_string(++number);
    store.store_final(key, owner_1, record);
    store.expect_record(key, record, "a final record is not what was written");
    const auto there = store.get(key);
    store.expect(there && to_json(*there) == to_json(record), "a final record reads in another order of its fields");
  }
}

void whole_records(StoreProbe& store) {
  auto record = std::get<AcceptedRecord>(accepted("SM\"\\\u00e9\U0001F600"));
  record.result.foreign = {{"newerField", R"({"b":[1,2],"a":null})"}, {"delivery", R"("teleported")"}};
  record.foreign = {{"writtenBy", R"("another version")"}};
  store.store_final("order:1", owner_1, record);
  const auto there = store.get("order:1");
  // As documents: a server may keep them in another order.
  store.expect(
      there && detail::parse_json(to_json(*there)) == detail::parse_json(to_json(FinalIdempotencyRecord(record))),
      "fields that another version wrote are lost or changed");

  auto error = std::get<UnknownRecord>(unknown());
  error.error.message = "line\nquote\" back\\slash \u2028 \x7f";
  store.store_final("order:2", owner_1, error);
  store.expect_record("order:2", error, "a text in a record is changed");
}

void owner_alone(StoreProbe& store) {
  store.expect(store.claims("order:1", owner_1), "a free key could not be claimed");
  for (const auto& stranger : {owner_2, std::string(), owner_1 + "0", owner_1.substr(1)}) {
    store.expect(store.finalize(finalize_request("order:1", stranger, accepted())) == FinalizeResult::not_owner,
                 "a stranger finalized the key");
  }
  store.expect_reserved("order:1", owner_1, "a refused finalize changed the reservation");
}

void repeated_finalize(StoreProbe& store) {
  for (const auto& record : {accepted(), rejected(), unknown()}) {
    const auto key = std::string(to_string(state_of(record)));
    store.store_final(key, owner_1, record);
    store.expect(store.finalize(finalize_request(key, owner_1, record)) == FinalizeResult::finalized,
                 "a finalize repeated after a lost answer was refused");
    store.expect(store.finalize(finalize_request(key, owner_1, accepted("SM2"))) == FinalizeResult::not_owner,
                 "the owner finalized twice with different records");
    store.expect(store.finalize(finalize_request(key, owner_2, record)) == FinalizeResult::not_owner,
                 "a stranger finalized with the same record");
    store.expect_record(key, record, "a repeated finalize changed the record");
  }
}

void independent_copies(StoreProbe& store) {
  store.store_final("order:1", owner_1, accepted());
  auto answer = store.reserve(reserve_request("order:1", owner_2));
  if (auto* existing = std::get_if<Existing>(&answer)) {
    std::get<AcceptedRecord>(existing->record).result.provider_id = "changed by a caller";
  }
  auto record = store.get("order:1");
  if (record) std::get<AcceptedRecord>(*record).result.attempts.clear();
  store.expect_record("order:1", accepted(), "a caller changed the stored record through its answer");
}

}  // namespace sms::testing::checks
