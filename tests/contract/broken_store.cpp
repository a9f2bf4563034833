#include "contract/broken_store.hpp"

#include <algorithm>
#include <thread>
#include <utility>

namespace sms::tests {
namespace {

using namespace std::chrono_literals;

constexpr WallTime never{std::chrono::milliseconds(0)};

bool is_accepted(const std::optional<IdempotencyRecord>& record) {
  return record && std::holds_alternative<AcceptedRecord>(*record);
}

const ReservedRecord* reserved(const std::optional<IdempotencyRecord>& record) {
  return record ? std::get_if<ReservedRecord>(&*record) : nullptr;
}

}  // namespace

std::optional<IdempotencyRecord> BrokenStore::peek(const std::string& key, WallTime now) {
  std::optional<IdempotencyRecord> found;
  good_->get(key, now, [&](auto record) { found = std::move(record).value(); });
  return found;
}

std::string BrokenStore::name(std::string key) const {
  if (does(Mistake::ignores_case_of_keys)) {
    std::ranges::transform(key, key.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  }
  return key;
}

void BrokenStore::forget_late(const std::string& key, WallTime now) {
  const std::lock_guard lock(mutex_);
  if (const auto end = ends_.find(key); end != ends_.end() && end->second <= now) {
    good_->erase(key);
    ends_.erase(end);
  }
}

void BrokenStore::get(std::string key, WallTime now, Callback<std::optional<IdempotencyRecord>> done) {
  key = name(std::move(key));
  forget_late(key, now);
  if (does(Mistake::answers_twice)) {
    auto shared = std::make_shared<decltype(done)>(std::move(done));
    (*shared)(peek(key, now));
    return (*shared)(peek(key, now));
  }
  good_->get(key, does(Mistake::forgets_expiry) ? never : now, std::move(done));
}

void BrokenStore::reserve(ReserveRequest request, Callback<ReserveResult> done) {
  request.key = name(std::move(request.key));
  forget_late(request.key, request.now);
  const auto there = peek(request.key, request.now);
  const auto* held = reserved(there);
  const bool ours = held != nullptr && held->reservation_id == request.reservation_id;
  if (does(Mistake::reads_before_it_writes) && !there) {
    std::this_thread::sleep_for(1ms);
    good_->erase(request.key);
  }
  if (does(Mistake::frees_old_reservations) && held != nullptr &&
      request.now - held->reserved_at > request.stale_reservation) {
    good_->erase(request.key);
  }
  if (does(Mistake::claims_for_another_message) && there && std::holds_alternative<RejectedRecord>(*there)) {
    good_->erase(request.key);
  }
  if (does(Mistake::claims_settled_keys) && there && held == nullptr) good_->erase(request.key);
  if (does(Mistake::claims_again_after_the_end) && is_accepted(there) &&
      good().show(request.key, request.now)->reservation_id == request.reservation_id) {
    good_->erase(request.key);
  }
  if (does(Mistake::refuses_repeated_claims) && ours) return done(ReserveResult(Existing{*there, 0ms}));
  if (does(Mistake::forgets_expiry)) request.now = never;
  if (does(Mistake::forgets_patient_clients)) request.stale_reservation = 10ms;
  good_->reserve(std::move(request), std::move(done));
}

void BrokenStore::finalize(FinalizeRequest request, Callback<FinalizeResult> done) {
  request.key = name(std::move(request.key));
  const auto there = peek(request.key, request.now);
  const auto* held = reserved(there);
  if (does(Mistake::finalizes_for_anybody) && held != nullptr) request.reservation_id = held->reservation_id;
  if (does(Mistake::finalizes_twice) && there && held == nullptr) {
    good_->erase(request.key);
    good_->evidence()->settle(request, [](auto) {});
    return done(FinalizeResult::finalized);
  }
  if (does(Mistake::refuses_repeated_finalize) && there && held == nullptr) return done(FinalizeResult::not_owner);
  if (does(Mistake::forgets_send_at)) request.send_at.reset();
  if (auto* accepted = std::get_if<AcceptedRecord>(&request.record);
      accepted != nullptr && does(Mistake::loses_foreign_fields)) {
    accepted->result.foreign.clear();
  }
  const bool unknown = std::holds_alternative<UnknownRecord>(request.record);
  if (does(Mistake::keeps_expiry_at_takeover) || (does(Mistake::frees_unknown_records) && unknown)) {
    const std::lock_guard lock(mutex_);
    ends_[request.key] = request.now + request.ttl;
  }
  good_->finalize(std::move(request), std::move(done));
}

void BrokenStore::mark(MarkRequest request, Callback<MarkResult> done) {
  const auto there = peek(request.key, request.posting.at);
  if (const auto* held = reserved(there); held != nullptr && does(Mistake::marks_for_anybody)) {
    request.reservation_id = held->reservation_id;
  }
  if (does(Mistake::loses_marks)) return done(MarkResult::marked);
  good_->evidence()->mark(std::move(request), std::move(done));
}

void BrokenStore::settle(FinalizeRequest request, Callback<SettleResult> done) {
  const auto there = peek(request.key, request.now);
  const bool proof = std::holds_alternative<AcceptedRecord>(request.record);
  const auto* held = reserved(there);
  if (does(Mistake::ignores_evidence_against_a_holder) && held != nullptr &&
      held->reservation_id != request.reservation_id) {
    return done(SettleResult::kept);
  }
  if (does(Mistake::believes_weak_evidence) && !proof && there && !is_accepted(there)) good_->erase(request.key);
  if (does(Mistake::hides_duplicates) && is_accepted(there)) return done(SettleResult::kept);
  good_->evidence()->settle(std::move(request), std::move(done));
}

ListPage BrokenStore::list(const ListRequest& request) {
  auto changed = request;
  if (does(Mistake::takes_prefix_for_pattern)) changed.prefix = request.prefix.substr(0, request.prefix.find('_'));
  auto page = good().list(changed);
  if (does(Mistake::lists_newest_first)) std::ranges::reverse(page.keys);
  return page;
}

std::optional<KeyView> BrokenStore::show(const std::string& key, WallTime now) { return good().show(key, now); }

OperatorResult BrokenStore::resolve(const ResolveRequest& request) {
  auto changed = request;
  const auto seen = good().show(request.key, request.now);
  if (seen && does(Mistake::ignores_tokens)) changed.token = seen->token;
  if (seen && does(Mistake::resolves_fresh_keys) && seen->token == request.token) {
    good_->erase(request.key);
    FinalizeRequest final_record;
    final_record.key = request.key;
    final_record.record = resolved_record(seen->record, request.provider, request.provider_id, "sms_1");
    final_record.ttl = request.ttl;
    final_record.now = request.now;
    good_->evidence()->settle(final_record, [](auto) {});
    return OperatorResult::done;
  }
  const auto result = good().resolve(changed);
  return result == OperatorResult::id_in_use && does(Mistake::resolves_one_message_twice) ? OperatorResult::done
                                                                                          : result;
}

OperatorResult BrokenStore::release(const ReleaseRequest& request) {
  auto changed = request;
  const auto seen = good().show(request.key, request.now);
  if (seen && does(Mistake::ignores_tokens)) changed.token = seen->token;
  if (does(Mistake::ignores_settle)) changed.settle = 0ms;
  if (seen && is_accepted(seen->record) && request.force && does(Mistake::releases_accepted_keys)) {
    good_->erase(request.key);
    return OperatorResult::done;
  }
  return good().release(changed);
}

std::size_t BrokenStore::purge_expired(std::size_t limit, WallTime now) {
  if (does(Mistake::purges_everything)) good_ = memory_idempotency_store();
  return good().purge_expired(limit, now);
}

StoreStats BrokenStore::stats(WallTime now) { return does(Mistake::counts_nothing) ? StoreStats{} : good().stats(now); }

std::vector<AuditRow> BrokenStore::audit(std::size_t limit, const std::optional<std::string>& key) {
  return does(Mistake::writes_no_audit) ? std::vector<AuditRow>() : good().audit(limit, key);
}

}  // namespace sms::tests
