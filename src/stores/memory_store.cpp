#include <sms/stores/memory.hpp>

#include "core/store_rules.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <mutex>
#include <optional>
#include <queue>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sms {
namespace {

struct Row {
  std::shared_ptr<const IdempotencyRecord> record;
  std::string reservation_id;  ///< Stays with a final record.
  std::optional<WallTime> expires_at;
};

class Shard {
 public:
  using Rows = std::unordered_map<std::string, Row>;

  template <class Work>
  auto with(const std::string& key, WallTime now, Work work) {
    const std::lock_guard lock(mutex_);
    sweep(now);
    return work(rows_, key);
  }
  /// Precondition: called within `with`.
  void expire_later(const std::string& key, std::optional<WallTime> expires_at) {
    if (expires_at) expiries_.emplace(*expires_at, key);
  }
  bool erase(const std::string& key) {
    const std::lock_guard lock(mutex_);
    return rows_.erase(key) > 0;
  }
  std::size_t size() const {
    const std::lock_guard lock(mutex_);
    return rows_.size();
  }

 private:
  using Expiry = std::pair<WallTime, std::string>;

  /// A few rows at a time, so that no call pays for the work of many.
  void sweep(WallTime now) {
    for (int i = 0; i < 4 && !expiries_.empty() && expiries_.top().first <= now; ++i) {
      const auto row = rows_.find(expiries_.top().second);
      if (row != rows_.end() && row->second.expires_at == expiries_.top().first) rows_.erase(row);
      expiries_.pop();
    }
  }

  mutable std::mutex mutex_;
  Rows rows_;
  std::priority_queue<Expiry, std::vector<Expiry>, std::greater<>> expiries_;
};

bool expired(const Row& row, WallTime now) { return row.expires_at && *row.expires_at <= now; }

class MemoryStore final : public MemoryIdempotencyStore, public EvidenceStore {
 public:
  void get(std::string key, WallTime now, Callback<std::optional<IdempotencyRecord>> done) override {
    done(shard(key).with(key, now, [&](Shard::Rows& rows, const auto&) -> std::optional<IdempotencyRecord> {
      const auto at = rows.find(key);
      if (at == rows.end() || expired(at->second, now)) return std::nullopt;
      return *at->second.record;
    }));
  }

  void reserve(ReserveRequest request, Callback<ReserveResult> done) override {
    done(shard(request.key).with(request.key, request.now, [&](Shard::Rows& rows, const auto& key) -> ReserveResult {
      auto [at, is_new] = rows.try_emplace(key);
      if (!is_new && !expired(at->second, request.now) && !detail::claimable(*at->second.record, request)) {
        return Existing{*at->second.record, detail::age_of(*at->second.record, request.now)};
      }
      const auto* held = is_new ? nullptr : std::get_if<ReservedRecord>(at->second.record.get());
      if (held == nullptr) {
        at->second = Row{std::make_shared<const IdempotencyRecord>(
                             ReservedRecord{request.fingerprint, request.reservation_id, request.now, {}, {}}),
                         request.reservation_id, std::nullopt};
      }
      return Reserved{request.reservation_id};
    }));
  }

  void finalize(FinalizeRequest request, Callback<FinalizeResult> done) override {
    done(shard(request.key).with(request.key, request.now, [&](Shard::Rows& rows, const auto& key) {
      const auto at = rows.find(key);
      if (at == rows.end() || at->second.reservation_id != request.reservation_id) return FinalizeResult::not_owner;
      if (!std::holds_alternative<ReservedRecord>(*at->second.record)) {
        return *at->second.record == to_record(request.record) ? FinalizeResult::finalized : FinalizeResult::not_owner;
      }
      write(at->second, request);
      return FinalizeResult::finalized;
    }));
  }

  void mark(MarkRequest request, Callback<MarkResult> done) override {
    done(shard(request.key).with(request.key, request.posting.at, [&](Shard::Rows& rows, const auto& key) {
      const auto at = rows.find(key);
      if (at == rows.end()) return MarkResult::not_owner;
      const auto* held = std::get_if<ReservedRecord>(at->second.record.get());
      if (held == nullptr || held->reservation_id != request.reservation_id) return MarkResult::not_owner;
      auto marked = *held;
      marked.posting = request.posting;
      at->second.record = std::make_shared<const IdempotencyRecord>(std::move(marked));
      return MarkResult::marked;
    }));
  }

  void settle(FinalizeRequest request, Callback<SettleResult> done) override {
    done(shard(request.key).with(request.key, request.now, [&](Shard::Rows& rows, const auto& key) {
      const auto at = rows.find(key);
      const bool present = at != rows.end() && !expired(at->second, request.now);
      const bool ours = present && at->second.reservation_id == request.reservation_id;
      switch (detail::settle_action(present ? at->second.record.get() : nullptr, ours, request.record)) {
        case detail::SettleAction::write:
          write(rows[key], request);
          return SettleResult::settled;
        case detail::SettleAction::report_duplicate:
          return SettleResult::duplicate_detected;
        case detail::SettleAction::keep:
          break;
      }
      return SettleResult::kept;
    }));
  }

  EvidenceStore* evidence() noexcept override { return this; }
  bool erase(const std::string& key) override { return shard(key).erase(key); }
  std::size_t size() const override {
    std::size_t total = 0;
    for (const auto& shard : shards_) total += shard.size();
    return total;
  }

 private:
  void write(Row& row, const FinalizeRequest& request) {
    const auto expires_at = detail::expiry_of(request);
    row = Row{std::make_shared<const IdempotencyRecord>(to_record(request.record)), request.reservation_id, expires_at};
    shard(request.key).expire_later(request.key, expires_at);
  }
  Shard& shard(const std::string& key) { return shards_[std::hash<std::string>{}(key) % shards_.size()]; }

  std::array<Shard, 64> shards_;
};

}  // namespace

std::shared_ptr<MemoryIdempotencyStore> memory_idempotency_store() { return std::make_shared<MemoryStore>(); }

}  // namespace sms
