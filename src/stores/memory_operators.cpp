#include "core/operator_rules.hpp"
#include "core/sha256.hpp"
#include "core/store_rules.hpp"
#include "stores/memory_store.hpp"

#include <algorithm>
#include <utility>

namespace sms::detail {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kept_audit_rows = 10'000;

}  // namespace

KeyView MemoryStore::view(const std::string& key, const MemoryRow& row, WallTime now) const {
  KeyView view;
  view.key = key;
  view.record = *row.record;
  view.token = sha256_hex(std::to_string(row.version) + ":" + row.reservation_id + to_json(*row.record)).substr(0, 32);
  view.reservation_id = row.reservation_id;
  view.since = row.since;
  view.expires_at = row.expires_at;
  view.age = std::max(now - row.since, milliseconds(0));
  view.stale = state_of(*row.record) == RecordState::reserved && view.age.count() > stale_after_ms_;
  view.open_since = open_since(view, milliseconds(stale_after_ms_));
  return view;
}

std::optional<KeyView> MemoryStore::find(const MemoryShard::Rows& rows, const std::string& key, WallTime now) const {
  const auto at = rows.find(key);
  if (at == rows.end() || at->second.expired(now)) return std::nullopt;
  return view(key, at->second, now);
}

ListPage MemoryStore::list(const ListRequest& request) {
  const auto now = time(request.now);
  const auto after = ListCursor::parse(request.cursor);
  std::vector<std::pair<ListCursor, KeyView>> found;
  for (const auto& shard : shards_) {
    shard.look([&](const MemoryShard::Rows& rows) {
      for (const auto& [key, row] : rows) {
        ListCursor place{row.since, key};
        if (row.expired(now) || place <= after) continue;
        auto seen = view(key, row, now);
        if (is_listed(seen, request)) found.emplace_back(std::move(place), std::move(seen));
      }
    });
  }
  std::ranges::sort(found, {}, &std::pair<ListCursor, KeyView>::first);
  ListPage page;
  for (auto& [place, seen] : found) {
    if (page.keys.size() == request.limit) break;
    page.next_cursor = place.to_text();
    page.keys.push_back(std::move(seen));
  }
  if (page.keys.size() == found.size()) page.next_cursor.clear();
  return page;
}

std::optional<KeyView> MemoryStore::show(const std::string& key, WallTime callers) {
  return shard(key).look([&](const MemoryShard::Rows& rows) { return find(rows, key, time(callers)); });
}

OperatorResult MemoryStore::resolve(const ResolveRequest& request) {
  const std::lock_guard one_operator(operator_mutex_);
  const auto now = time(request.now);
  if (id_in_use(request, now)) {
    const auto seen = show(request.key, request.now);
    const auto result = may_resolve(seen, request);
    return result == OperatorResult::done ? OperatorResult::id_in_use : result;
  }
  auto& shard = this->shard(request.key);
  return shard.with(now, [&](MemoryShard::Rows& rows) {
    const auto seen = find(rows, request.key, now);
    const auto result = may_resolve(seen, request);
    if (result != OperatorResult::done) return result;
    FinalizeRequest final_record;
    final_record.key = request.key;
    final_record.reservation_id = seen->reservation_id.value_or(std::string());
    final_record.record =
        resolved_record(seen->record, request.provider, request.provider_id, message_id_of(seen->reservation_id));
    final_record.ttl = request.ttl;
    final_record.now = now;
    shard.write(request.key, row_of(final_record));
    write_audit(*seen, request.note, audit_action(request), now);
    return result;
  });
}

OperatorResult MemoryStore::release(const ReleaseRequest& request) {
  const std::lock_guard one_operator(operator_mutex_);
  const auto now = time(request.now);
  return shard(request.key).with(now, [&](MemoryShard::Rows& rows) {
    const auto seen = find(rows, request.key, now);
    const auto result = may_release(seen, request, milliseconds(stale_after_ms_));
    if (result != OperatorResult::done) return result;
    rows.erase(request.key);
    write_audit(*seen, request.note, audit_action(request), now);
    return result;
  });
}

std::size_t MemoryStore::purge_expired(std::size_t limit, WallTime callers) {
  const auto now = time(callers);
  std::size_t purged = 0;
  for (auto& shard : shards_) {
    purged += shard.change([&](MemoryShard::Rows& rows) {
      std::size_t here = 0;
      for (auto row = rows.begin(); row != rows.end() && purged + here < limit;) {
        const bool gone = row->second.expired(now);
        here += gone ? 1U : 0U;
        row = gone ? rows.erase(row) : std::next(row);
      }
      return here;
    });
  }
  return purged;
}

StoreStats MemoryStore::stats(WallTime callers) {
  const auto now = time(callers);
  StoreStats stats;
  for (const auto& shard : shards_) {
    shard.look([&](const MemoryShard::Rows& rows) {
      for (const auto& [key, row] : rows) {
        if (row.expired(now)) {
          ++stats.expired;
        } else {
          count(stats, view(key, row, now));
        }
      }
    });
  }
  return stats;
}

std::vector<AuditRow> MemoryStore::audit(std::size_t limit, const std::optional<std::string>& key) {
  const std::lock_guard one_operator(operator_mutex_);
  std::vector<AuditRow> found;
  for (auto row = audit_.rbegin(); row != audit_.rend() && found.size() < limit; ++row) {
    if (!key || row->key == *key) found.push_back(*row);
  }
  return found;
}

bool MemoryStore::id_in_use(const ResolveRequest& request, WallTime now) const {
  return std::ranges::any_of(shards_, [&](const MemoryShard& shard) {
    return shard.look([&](const MemoryShard::Rows& rows) {
      return std::ranges::any_of(rows, [&](const auto& entry) {
        const auto* accepted = std::get_if<AcceptedRecord>(entry.second.record.get());
        return accepted != nullptr && entry.first != request.key && !entry.second.expired(now) &&
               accepted->result.provider == request.provider && accepted->result.provider_id == request.provider_id;
      });
    });
  });
}

void MemoryStore::write_audit(const KeyView& before, const OperatorNote& note, std::string_view action, WallTime now) {
  if (audit_.size() == kept_audit_rows) audit_.pop_front();
  audit_.push_back({now, before.key, note.who, std::string(action), note.why, to_json(before.record)});
}

}  // namespace sms::detail
