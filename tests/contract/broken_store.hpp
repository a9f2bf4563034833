#pragma once

#include <sms/operator_store.hpp>
#include <sms/stores/memory.hpp>

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace sms::tests {

/// What a store of somebody could do wrong.
enum class Mistake {
  none,
  reads_before_it_writes,
  frees_old_reservations,
  frees_unknown_records,
  keeps_expiry_at_takeover,
  forgets_expiry,
  forgets_send_at,
  claims_for_another_message,
  claims_settled_keys,
  claims_again_after_the_end,
  refuses_repeated_claims,
  finalizes_for_anybody,
  finalizes_twice,
  refuses_repeated_finalize,
  loses_foreign_fields,
  ignores_case_of_keys,
  answers_twice,
  marks_for_anybody,
  loses_marks,
  believes_weak_evidence,
  ignores_evidence_against_a_holder,
  hides_duplicates,
  ignores_tokens,
  ignores_settle,
  releases_accepted_keys,
  resolves_fresh_keys,
  resolves_one_message_twice,
  forgets_patient_clients,
  lists_newest_first,
  takes_prefix_for_pattern,
  purges_everything,
  writes_no_audit,
  counts_nothing
};

/// A memory store with one mistake.
class BrokenStore final : public IdempotencyStore, public EvidenceStore, public OperatorStore {
 public:
  explicit BrokenStore(Mistake mistake) : mistake_(mistake) {}

  void get(std::string key, WallTime now, Callback<std::optional<IdempotencyRecord>> done) override;
  void reserve(ReserveRequest request, Callback<ReserveResult> done) override;
  void finalize(FinalizeRequest request, Callback<FinalizeResult> done) override;
  EvidenceStore* evidence() noexcept override { return this; }
  OperatorStore* operators() noexcept override { return this; }

  void mark(MarkRequest request, Callback<MarkResult> done) override;
  void settle(FinalizeRequest request, Callback<SettleResult> done) override;

  ListPage list(const ListRequest& request) override;
  std::optional<KeyView> show(const std::string& key, WallTime now) override;
  OperatorResult resolve(const ResolveRequest& request) override;
  OperatorResult release(const ReleaseRequest& request) override;
  std::size_t purge_expired(std::size_t limit, WallTime now) override;
  StoreStats stats(WallTime now) override;
  std::vector<AuditRow> audit(std::size_t limit, const std::optional<std::string>& key) override;

 private:
  bool does(Mistake mistake) const { return mistake_ == mistake; }
  std::optional<IdempotencyRecord> peek(const std::string& key, WallTime now);
  std::string name(std::string key) const;
  void forget_late(const std::string& key, WallTime now);
  OperatorStore& good() { return *good_->operators(); }

  Mistake mistake_;
  std::shared_ptr<MemoryIdempotencyStore> good_ = memory_idempotency_store();
  std::mutex mutex_;
  std::map<std::string, WallTime> ends_;
};

}  // namespace sms::tests
