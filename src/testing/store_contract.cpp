#include <sms/operator_store.hpp>
#include <sms/testing/store_contract.hpp>

#include "testing/store_checks.hpp"

#include <array>
#include <exception>

namespace sms::testing {
namespace {

using Check = void (*)(StoreProbe&);

template <Check check>
std::vector<std::string> faults_of(const StoreFactory& make) {
  StoreProbe store(make);
  try {
    check(store);
  } catch (const std::exception& error) {
    store.expect(false, std::string("a call failed: ") + error.what());
  }
  return store.take_faults();
}

template <Check check>
constexpr StoreCheck claim_rule(std::string_view name, std::string_view rule) {
  return {name, rule, StorePart::contract, faults_of<check>};
}
template <Check check>
constexpr StoreCheck evidence_rule(std::string_view name, std::string_view rule) {
  return {name, rule, StorePart::evidence, faults_of<check>};
}
template <Check check>
constexpr StoreCheck operator_rule(std::string_view name, std::string_view rule) {
  return {name, rule, StorePart::operators, faults_of<check>};
}

}  // namespace

bool StoreCheck::applies_to(IdempotencyStore& store) const noexcept {
  switch (part) {
    case StorePart::contract:
      return true;
    case StorePart::evidence:
      return store.evidence() != nullptr;
    case StorePart::operators:
      return store.operators() != nullptr;
  }
  return false;
}

std::span<const StoreCheck> store_contract() {
  using namespace checks;
  static constexpr std::array all = {
      claim_rule<absent_key>("absent_key", "A key that was never used has no record and no owner"),
      claim_rule<free_key>("free_key", "A free key is claimed and shows its reservation"),
      claim_rule<held_key>("held_key", "A reserved key is claimed by nobody else, whatever the message"),
      claim_rule<own_claim>("own_claim", "A claim can be repeated while it stands, not after its end"),
      claim_rule<settled_key>("settled_key", "An accepted or unknown key is claimed by nobody"),
      claim_rule<rejected_key>("rejected_key", "A rejected key is claimed for the same message alone"),
      claim_rule<distinct_keys>("distinct_keys", "Keys are compared byte for byte"),
      claim_rule<final_records>("final_records", "A final record reads as it was written"),
      claim_rule<whole_records>("whole_records", "What another version wrote into a record is kept"),
      claim_rule<owner_alone>("owner_alone", "Only the reservation ID that holds the key finalizes it"),
      claim_rule<repeated_finalize>("repeated_finalize", "The same finalize can be repeated, another one cannot"),
      claim_rule<independent_copies>("independent_copies", "Callers cannot change a record through an answer"),
      claim_rule<expired_records>("expired_records", "Accepted and rejected records end with their time to live"),
      claim_rule<records_that_stay>("records_that_stay", "Reserved and unknown records never expire"),
      claim_rule<takeover_clears_expiry>("takeover_clears_expiry", "A reservation inherits no expiry"),
      claim_rule<scheduled_messages>("scheduled_messages", "The record of a scheduled message outlives its hour"),
      claim_rule<long_lives>("long_lives", "The longest time to live does not overflow"),
      claim_rule<ages>("ages", "The age of a reservation is never negative"),
      claim_rule<one_winner>("one_winner", "Of many callers at once one claims the key"),
      claim_rule<one_taker>("one_taker", "Of many callers at once one takes over a rejected or expired key"),
      claim_rule<many_keys>("many_keys", "Callers of different keys do not disturb each other"),
      evidence_rule<marks>("marks", "The owner can mark its reservation"),
      evidence_rule<marks_of_strangers>("marks_of_strangers", "Nobody else can mark it"),
      evidence_rule<settle_table>("settle_table", "Evidence replaces what is weaker, and nothing else"),
      evidence_rule<settle_repeats>("settle_repeats", "Evidence can be repeated"),
      evidence_rule<settle_stops_holder>("settle_stops_holder", "Proof of a message stops the holder of its key"),
      evidence_rule<settle_lifetime>("settle_lifetime", "Evidence lives as long as a final record"),
      operator_rule<shown_keys>("shown_keys", "An operator sees a key as it is"),
      operator_rule<tokens>("tokens", "A token holds for one version of a record"),
      operator_rule<open_keys>("open_keys", "What needs an operator is listed, oldest first"),
      operator_rule<filtered_lists>("filtered_lists", "Lists show what was asked for"),
      operator_rule<pages>("pages", "Pages show every key once while keys come and go"),
      operator_rule<resolved_keys>("resolved_keys", "A resolved key replays the operator's evidence"),
      operator_rule<resolve_refused>("resolve_refused", "Only unknown and stale keys are resolved, as shown"),
      operator_rule<released_keys>("released_keys", "A released key can be claimed again"),
      operator_rule<release_refused>("release_refused", "Only unknown and stale keys are released, as shown"),
      operator_rule<release_settles>("release_settles", "A release waits until no request can be on its way"),
      operator_rule<largest_staleness>("largest_staleness", "The most patient client decides what is stale"),
      operator_rule<purged_keys>("purged_keys", "A purge removes expired records alone"),
      operator_rule<counted_keys>("counted_keys", "Keys are counted by state"),
      operator_rule<audit_rows>("audit_rows", "Each change of an operator leaves one audit row"),
  };
  return all;
}

}  // namespace sms::testing
