#pragma once

#include <sms/operator_store.hpp>
#include <sms/stores/memory.hpp>

#include "stores/memory_rows.hpp"

#include <array>
#include <atomic>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sms::detail {

class MemoryStore final : public MemoryIdempotencyStore, public EvidenceStore, public OperatorStore {
 public:
  explicit MemoryStore(std::shared_ptr<Clock> clock);

  void get(std::string key, WallTime now, Callback<std::optional<IdempotencyRecord>> done) override;
  void reserve(ReserveRequest request, Callback<ReserveResult> done) override;
  void finalize(FinalizeRequest request, Callback<FinalizeResult> done) override;
  EvidenceStore* evidence() noexcept override { return this; }
  OperatorStore* operators() noexcept override { return this; }
  bool erase(const std::string& key) override;
  std::size_t size() const override;

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
  MemoryShard& shard(const std::string& key) { return shards_[std::hash<std::string>{}(key) % shards_.size()]; }
  WallTime time(WallTime callers) const;
  MemoryRow row_of(const FinalizeRequest& request);
  KeyView view(const std::string& key, const MemoryRow& row, WallTime now) const;
  std::optional<KeyView> find(const MemoryShard::Rows& rows, const std::string& key, WallTime now) const;
  bool id_in_use(const ResolveRequest& request, WallTime now) const;
  void write_audit(const KeyView& before, const OperatorNote& note, std::string_view action, WallTime now);

  std::shared_ptr<Clock> clock_;
  WallTime wall_at_start_{};
  BootClock::time_point boot_at_start_{};
  std::array<MemoryShard, 64> shards_;
  std::atomic<std::uint64_t> versions_{0};
  std::atomic<std::chrono::milliseconds::rep> stale_after_ms_{0};

  /// Held over each change of an operator.
  std::mutex operator_mutex_;
  std::deque<AuditRow> audit_;
};

}  // namespace sms::detail
