#include <sms/stores/memory.hpp>

#include <algorithm>
#include <array>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>

namespace sms {
namespace {

struct Row {
  std::shared_ptr<const IdempotencyRecord> record;
  std::string reservation_id;  ///< Stays with a final record.
  std::optional<WallTime> expires_at;
};

class Shard {
 public:
  template <class Work>
  auto with(const std::string& key, WallTime now, Work work) {
    const std::lock_guard lock(mutex_);
    sweep(now);
    return work(rows_, key);
  }
  bool erase(const std::string& key) {
    const std::lock_guard lock(mutex_);
    return rows_.erase(key) > 0;
  }
  std::size_t size() const {
    const std::lock_guard lock(mutex_);
    return rows_.size();
  }

  using Rows = std::unordered_map<std::string, Row>;

 private:
  void sweep(WallTime) {}

  mutable std::mutex mutex_;
  Rows rows_;
};

bool expired(const Row& row, WallTime now) { return row.expires_at && *row.expires_at <= now; }

bool claimable(const Row& row, const ReserveRequest& request) {
  if (expired(row, request.now)) return true;
  if (const auto* rejected = std::get_if<RejectedRecord>(row.record.get()))
    return rejected->fingerprint == request.fingerprint;
  const auto* reserved = std::get_if<ReservedRecord>(row.record.get());
  return reserved != nullptr && reserved->reservation_id == request.reservation_id;
}

std::optional<WallTime> expiry(const FinalizeRequest& request) {
  if (std::holds_alternative<UnknownRecord>(request.record)) return std::nullopt;
  return std::max(request.now, request.send_at.value_or(request.now)) + request.ttl;
}

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
      if (!is_new && !claimable(at->second, request)) {
        Existing existing{*at->second.record, std::nullopt};
        if (const auto* held = std::get_if<ReservedRecord>(&existing.record)) {
          existing.age = std::max(request.now - held->reserved_at, std::chrono::milliseconds(0));
        }
        return existing;
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
      const auto state = state_of(request.record);
      if (!present) {
        if (state == RecordState::rejected) return SettleResult::kept;
        write(rows[key], request);
        return SettleResult::settled;
      }
      auto& row = at->second;
      const bool ours = row.reservation_id == request.reservation_id;
      bool written = false;
      switch (state_of(*row.record)) {
        case RecordState::reserved:
          written = ours || state == RecordState::accepted;
          break;
        case RecordState::rejected:
          written = state != RecordState::rejected;
          break;
        case RecordState::unknown:
          written = state == RecordState::accepted || (ours && state == RecordState::rejected);
          break;
        case RecordState::accepted: {
          const auto& there = std::get<AcceptedRecord>(*row.record).result;
          const auto* evidence = std::get_if<AcceptedRecord>(&request.record);
          if (evidence != nullptr &&
              (there.provider_id != evidence->result.provider_id || there.provider != evidence->result.provider)) {
            return SettleResult::duplicate_detected;
          }
          break;
        }
      }
      if (written) write(row, request);
      return written ? SettleResult::settled : SettleResult::kept;
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
  static void write(Row& row, const FinalizeRequest& request) {
    row = Row{std::make_shared<const IdempotencyRecord>(to_record(request.record)), request.reservation_id,
              expiry(request)};
  }
  Shard& shard(const std::string& key) { return shards_[std::hash<std::string>{}(key) % shards_.size()]; }

  std::array<Shard, 64> shards_;
};

}  // namespace

std::shared_ptr<MemoryIdempotencyStore> memory_idempotency_store() { return std::make_shared<MemoryStore>(); }

}  // namespace sms
