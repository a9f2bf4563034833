#include "stores/memory_store.hpp"

#include "core/store_rules.hpp"

#include <algorithm>
#include <utility>

namespace sms::detail {
namespace {

using SharedRecord = std::shared_ptr<const IdempotencyRecord>;

const ReservedRecord* reservation_of(const MemoryRow& row, const std::string& reservation_id) {
  const auto* reserved = std::get_if<ReservedRecord>(row.record.get());
  return reserved != nullptr && reserved->reservation_id == reservation_id ? reserved : nullptr;
}

}  // namespace

MemoryStore::MemoryStore(std::shared_ptr<Clock> clock) : clock_(std::move(clock)) {
  if (!clock_) return;
  wall_at_start_ = clock_->now();
  boot_at_start_ = clock_->boot_time();
}

WallTime MemoryStore::time(WallTime callers) const {
  if (!clock_) return callers;
  return wall_at_start_ + std::chrono::floor<std::chrono::milliseconds>(clock_->boot_time() - boot_at_start_);
}

void MemoryStore::get(std::string key, WallTime callers, Callback<std::optional<IdempotencyRecord>> done) {
  const auto now = time(callers);
  const auto record = shard(key).with(now, [&](MemoryShard::Rows& rows) -> SharedRecord {
    const auto at = rows.find(key);
    return at == rows.end() || at->second.expired(now) ? nullptr : at->second.record;
  });
  done(record ? std::optional(*record) : std::nullopt);
}

void MemoryStore::reserve(ReserveRequest request, Callback<ReserveResult> done) {
  request.now = time(request.now);
  auto& shard = this->shard(request.key);
  const auto existing = shard.with(request.now, [&](MemoryShard::Rows& rows) -> SharedRecord {
    if (const auto at = rows.find(request.key); at != rows.end() && !at->second.expired(request.now)) {
      if (reservation_of(at->second, request.reservation_id) != nullptr) return nullptr;
      if (!claimable(*at->second.record, request)) return at->second.record;
    }
    MemoryRow row;
    row.record = std::make_shared<const IdempotencyRecord>(
        ReservedRecord{request.fingerprint, request.reservation_id, request.now, {}, {}});
    row.reservation_id = request.reservation_id;
    row.since = request.now;
    row.version = ++versions_;
    shard.write(request.key, std::move(row));
    return nullptr;
  });
  if (existing) return done(ReserveResult(Existing{*existing, age_of(*existing, request.now)}));

  auto largest = stale_after_ms_.load();
  const auto asked = request.stale_reservation.count();
  while (largest < asked && !stale_after_ms_.compare_exchange_weak(largest, asked)) {
  }
  done(ReserveResult(Reserved{std::move(request.reservation_id)}));
}

void MemoryStore::finalize(FinalizeRequest request, Callback<FinalizeResult> done) {
  request.now = time(request.now);
  auto& shard = this->shard(request.key);
  done(shard.with(request.now, [&](MemoryShard::Rows& rows) {
    const auto at = rows.find(request.key);
    if (at == rows.end() || at->second.reservation_id != request.reservation_id) return FinalizeResult::not_owner;
    if (reservation_of(at->second, request.reservation_id) == nullptr) {
      return *at->second.record == to_record(request.record) ? FinalizeResult::finalized : FinalizeResult::not_owner;
    }
    shard.write(request.key, row_of(request));
    return FinalizeResult::finalized;
  }));
}

void MemoryStore::mark(MarkRequest request, Callback<MarkResult> done) {
  done(shard(request.key).with(time(request.posting.at), [&](MemoryShard::Rows& rows) {
    const auto at = rows.find(request.key);
    const auto* held = at == rows.end() ? nullptr : reservation_of(at->second, request.reservation_id);
    if (held == nullptr) return MarkResult::not_owner;
    auto marked = *held;
    marked.posting = std::move(request.posting);
    at->second.record = std::make_shared<const IdempotencyRecord>(std::move(marked));
    at->second.version = ++versions_;
    return MarkResult::marked;
  }));
}

void MemoryStore::settle(FinalizeRequest request, Callback<SettleResult> done) {
  request.now = time(request.now);
  auto& shard = this->shard(request.key);
  done(shard.with(request.now, [&](MemoryShard::Rows& rows) {
    const auto at = rows.find(request.key);
    const bool present = at != rows.end() && !at->second.expired(request.now);
    const bool ours = present && at->second.reservation_id == request.reservation_id;
    switch (settle_action(present ? at->second.record.get() : nullptr, ours, request.record)) {
      case SettleAction::write:
        shard.write(request.key, row_of(request));
        return SettleResult::settled;
      case SettleAction::report_duplicate:
        return SettleResult::duplicate_detected;
      case SettleAction::keep:
        break;
    }
    return SettleResult::kept;
  }));
}

bool MemoryStore::erase(const std::string& key) {
  return shard(key).change([&](MemoryShard::Rows& rows) { return rows.erase(key) > 0; });
}

std::size_t MemoryStore::size() const {
  std::size_t total = 0;
  for (const auto& shard : shards_) {
    total += shard.look([](const MemoryShard::Rows& rows) { return rows.size(); });
  }
  return total;
}

MemoryRow MemoryStore::row_of(const FinalizeRequest& request) {
  MemoryRow row;
  row.record = std::make_shared<const IdempotencyRecord>(to_record(request.record));
  row.reservation_id = request.reservation_id;
  row.expires_at = expiry_of(request);
  row.since = request.now;
  row.version = ++versions_;
  return row;
}

}  // namespace sms::detail

namespace sms {

std::shared_ptr<MemoryIdempotencyStore> memory_idempotency_store(std::shared_ptr<Clock> clock) {
  return std::make_shared<detail::MemoryStore>(std::move(clock));
}

}  // namespace sms
