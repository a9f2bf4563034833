#include "testing/store_checks.hpp"

#include <array>

namespace sms::testing::checks {
namespace {

using namespace std::chrono_literals;

MarkRequest mark_request(const std::string& key, const std::string& reservation_id, int attempt = 1) {
  MarkRequest request;
  request.key = key;
  request.reservation_id = reservation_id;
  request.posting = {"twilio", attempt, StoreProbe::now()};
  return request;
}

std::optional<PostingMark> posting_of(StoreProbe& store, const std::string& key) {
  const auto record = store.get(key);
  const auto* reserved = record ? std::get_if<ReservedRecord>(&*record) : nullptr;
  return reserved == nullptr ? std::nullopt : reserved->posting;
}

enum class Before {
  none,
  expired,
  reserved_ours,
  reserved_other,
  rejected_ours,
  rejected_other,
  unknown_ours,
  unknown_other,
  accepted_same,
  accepted_other_id,
  accepted_other_provider
};

void prepare(StoreProbe& store, const std::string& key, Before before) {
  switch (before) {
    case Before::none:
      return;
    case Before::expired:
      store.store_final(key, owner_2, accepted("SM9"), 1ms);
      return StoreProbe::wait(10ms);
    case Before::reserved_ours:
      return store.expect(store.claims(key, owner_1), "a free key could not be claimed");
    case Before::reserved_other:
      return store.expect(store.claims(key, owner_2), "a free key could not be claimed");
    case Before::rejected_ours:
      return store.store_final(key, owner_1, rejected());
    case Before::rejected_other:
      return store.store_final(key, owner_2, rejected());
    case Before::unknown_ours:
      return store.store_final(key, owner_1, unknown());
    case Before::unknown_other:
      return store.store_final(key, owner_2, unknown());
    case Before::accepted_same:
      return store.store_final(key, owner_2, accepted());
    case Before::accepted_other_id:
      return store.store_final(key, owner_2, accepted("SM2"));
    case Before::accepted_other_provider:
      return store.store_final(key, owner_2, accepted("SM1", "telnyx"));
  }
}

struct SettleRow {
  Before before;
  const char* name;
  SettleResult by_accepted, by_unknown, by_rejected;
};

constexpr auto written = SettleResult::settled;
constexpr auto kept = SettleResult::kept;
constexpr auto duplicate = SettleResult::duplicate_detected;

constexpr std::array settle_rows = {
    SettleRow{Before::none, "no record", written, written, kept},
    SettleRow{Before::expired, "an expired record", written, written, kept},
    SettleRow{Before::reserved_ours, "our reservation", written, written, written},
    SettleRow{Before::reserved_other, "another's reservation", written, kept, kept},
    SettleRow{Before::rejected_ours, "our rejection", written, written, kept},
    SettleRow{Before::rejected_other, "another's rejection", written, written, kept},
    SettleRow{Before::unknown_ours, "our unknown outcome", written, kept, written},
    SettleRow{Before::unknown_other, "another's unknown outcome", written, kept, kept},
    SettleRow{Before::accepted_same, "the same message", kept, kept, kept},
    SettleRow{Before::accepted_other_id, "another message", duplicate, kept, kept},
    SettleRow{Before::accepted_other_provider, "a message of another provider", duplicate, kept, kept},
};

void settles(StoreProbe& store, const SettleRow& row, const FinalIdempotencyRecord& evidence, SettleResult expected) {
  const auto proved = std::string(to_string(state_of(evidence)));
  const auto key = std::string(row.name) + " " + proved;
  const auto context = proved + " evidence on " + row.name;
  prepare(store, key, row.before);
  const auto there = store.get(key);
  store.expect(store.settle(finalize_request(key, owner_1, evidence)) == expected, context + ": another answer");
  const auto after = expected == SettleResult::settled ? std::optional(to_record(evidence)) : there;
  store.expect(store.get(key) == after, context + ": another record");
}

}  // namespace

void marks(StoreProbe& store) {
  store.expect(store.claims("order:1", owner_1), "a free key could not be claimed");
  for (int attempt : {1, 2}) {
    const auto request = mark_request("order:1", owner_1, attempt);
    store.expect(store.mark(request) == MarkResult::marked, "the owner could not mark its key");
    store.expect(posting_of(store, "order:1") == request.posting, "the mark is not in the reservation");
  }
  store.expect_reserved("order:1", owner_1, "a mark changed the reservation");
  store.expect(!store.claims("order:1", owner_2), "a marked key was claimed by another caller");
  store.expect(store.finalize(finalize_request("order:1", owner_1, accepted())) == FinalizeResult::finalized,
               "the owner could not finalize a marked key");
  store.expect_record("order:1", accepted(), "a mark shows in the final record");

  store.store_final("order:2", owner_1, rejected());
  store.expect(store.claims("order:2", owner_2), "a rejected key could not be claimed for the same message");
  store.expect(!posting_of(store, "order:2"), "a new reservation has the mark of the one before");
}

void marks_of_strangers(StoreProbe& store) {
  store.expect(store.claims("held", owner_1), "a free key could not be claimed");
  store.expect(store.mark(mark_request("held", owner_2)) == MarkResult::not_owner, "a stranger marked the key");
  store.expect(!posting_of(store, "held"), "a refused mark was written");
  store.expect(store.mark(mark_request("nothing", owner_1)) == MarkResult::not_owner, "a free key was marked");
  store.expect(!store.get("nothing"), "a refused mark made a record");
  store.store_final("final", owner_1, accepted());
  store.expect(store.mark(mark_request("final", owner_1)) == MarkResult::not_owner, "a final record was marked");
  store.expect_record("final", accepted(), "a refused mark changed the record");
}

void settle_table(StoreProbe& store) {
  for (const auto& row : settle_rows) {
    settles(store, row, accepted(), row.by_accepted);
    settles(store, row, unknown(), row.by_unknown);
    settles(store, row, rejected(), row.by_rejected);
  }
}

void settle_repeats(StoreProbe& store) {
  store.expect(store.settle(finalize_request("order:1", owner_1, accepted())) == SettleResult::settled,
               "evidence did not fill a free key");
  store.expect(store.settle(finalize_request("order:1", owner_1, accepted())) == SettleResult::kept,
               "the same evidence changed something twice");
  store.expect(!store.claims("order:1", owner_2), "a key that evidence settled was claimed");
  store.expect(store.finalize(finalize_request("order:1", owner_1, accepted())) == FinalizeResult::finalized,
               "the reservation ID of evidence does not stay with its record");
}

void settle_stops_holder(StoreProbe& store) {
  store.expect(store.claims("order:1", owner_2), "a free key could not be claimed");
  store.expect(store.settle(finalize_request("order:1", owner_1, accepted())) == SettleResult::settled,
               "proof of a message did not settle a key that another caller holds");
  store.expect(store.mark(mark_request("order:1", owner_2)) == MarkResult::not_owner,
               "the holder could mark a key whose message exists");
  store.expect(store.finalize(finalize_request("order:1", owner_2, unknown())) == FinalizeResult::not_owner,
               "the holder could finalize a key whose message exists");
  store.expect_record("order:1", accepted(), "the holder changed a key whose message exists");
}

void settle_lifetime(StoreProbe& store) {
  store.expect(store.settle(finalize_request("accepted", owner_1, accepted(), 20ms)) == SettleResult::settled,
               "evidence did not fill a free key");
  store.expect(store.settle(finalize_request("unknown", owner_1, unknown(), 20ms)) == SettleResult::settled,
               "evidence did not fill a free key");
  StoreProbe::wait(50ms);
  store.expect(!store.get("accepted"), "accepted evidence outlives its time");
  store.expect_record("unknown", unknown(), "unknown evidence expired");
}

}  // namespace sms::testing::checks
