#include "testing/store_checks.hpp"

namespace sms::testing::checks {

using namespace std::chrono_literals;

void expired_records(StoreProbe& store) {
  store.store_final("accepted", owner_1, accepted(), 20ms);
  store.store_final("rejected", owner_1, rejected(), 20ms);
  StoreProbe::wait(50ms);
  for (const auto& key : {"accepted", "rejected"}) {
    store.expect(!store.get(key), std::string("get answers an expired record that was ") + key);
    store.expect(store.finalize(finalize_request(key, owner_2, accepted())) == FinalizeResult::not_owner,
                 "a stranger finalized an expired key");
    store.expect(store.claims(reserve_request(key, owner_2, fingerprint_b)),
                 std::string("an expired key could not be claimed that was ") + key);
  }
}

void records_that_stay(StoreProbe& store) {
  store.store_final("unknown", owner_1, unknown(), 1ms);
  auto claim = reserve_request("reserved", owner_1);
  claim.stale_reservation = 1ms;
  store.expect(store.claims(claim), "a free key could not be claimed");
  StoreProbe::wait(50ms);
  store.expect_record("unknown", unknown(), "an unknown record expired");
  store.expect_reserved("reserved", owner_1, "a reservation expired");
  auto other = reserve_request("reserved", owner_2);
  other.stale_reservation = 1ms;
  store.expect(!store.claims(other), "a reservation became claimable by age");
  store.expect(!store.claims("unknown", owner_2), "an unknown record became claimable by age");
  store.expect(store.finalize(finalize_request("reserved", owner_1, accepted())) == FinalizeResult::finalized,
               "the owner of an old reservation could not finalize it");
}

void takeover_clears_expiry(StoreProbe& store) {
  store.store_final("rejected", owner_1, rejected(), 200ms);
  store.expect(store.claims("rejected", owner_2), "a rejected key could not be claimed for the same message");
  store.store_final("expired", owner_1, accepted(), 10ms);
  StoreProbe::wait(250ms);
  store.expect(store.claims("expired", owner_2), "an expired key could not be claimed");
  StoreProbe::wait(20ms);
  store.expect_reserved("rejected", owner_2, "a reservation inherited the expiry of the record before it");
  store.expect_reserved("expired", owner_2, "a reservation inherited the expiry of the record before it");
  store.expect(!store.claims("rejected", "00000000000000000000000000000003"), "a live reservation was taken over");
}

void scheduled_messages(StoreProbe& store) {
  store.expect(store.claims("order:1", owner_1), "a free key could not be claimed");
  auto request = finalize_request("order:1", owner_1, accepted(), 1ms);
  request.send_at = request.now + 1h;
  store.expect(store.finalize(request) == FinalizeResult::finalized, "the owner could not finalize its key");
  StoreProbe::wait(30ms);
  store.expect_record("order:1", accepted(), "the record of a scheduled message expired before the message was due");
}

void long_lives(StoreProbe& store) {
  store.store_final("order:1", owner_1, accepted(), std::chrono::hours(24 * 365 * 99));
  StoreProbe::wait(5ms);
  store.expect_record("order:1", accepted(), "a record with a life of 99 years is gone at once");
}

void ages(StoreProbe& store) {
  store.expect(store.claims("order:1", owner_1), "a free key could not be claimed");
  auto ahead = reserve_request("order:2", owner_1);
  ahead.now += 1h;
  store.expect(store.claims(ahead), "a free key could not be claimed");
  StoreProbe::wait(60ms);
  const auto age = [&](const std::string& key) -> std::optional<std::chrono::milliseconds> {
    const auto answer = store.reserve(reserve_request(key, owner_2));
    const auto* existing = std::get_if<Existing>(&answer);
    return existing == nullptr ? std::nullopt : existing->age;
  };
  if (const auto old = age("order:1")) {
    store.expect(*old >= 40ms, "a reservation is younger than it can be");
    store.expect(*old < 10min, "a reservation is older than it can be");
  }
  if (const auto future = age("order:2")) {
    store.expect(*future >= 0ms, "a reservation whose time lies in the future has a negative age");
    store.expect(*future < 10min, "a reservation whose time lies in the future is old");
  }
}

}  // namespace sms::testing::checks
