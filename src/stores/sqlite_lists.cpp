#include "core/operator_rules.hpp"
#include "stores/sqlite_operators.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

namespace sms::detail {
namespace {

using std::chrono::milliseconds;

/// Makes views of rows, all at one moment.
class Viewer {
 public:
  Viewer(SqliteDatabase& database, WallTime now) : now_(now), stale_after_(largest_stale_reservation(database)) {}

  KeyView operator()(const SqliteRow& row) const {
    return view_of(row, row.since_boot, age_of(row, now_, moment_), stale_after_);
  }

 private:
  WallTime now_;
  BootMoment moment_ = BootMoment::now();
  milliseconds stale_after_;
};

std::string list_sql(KeyFilter filter) {
  // The expressions of the index over open rows, word for word.
  const auto sql = [](std::string_view states) {
    return std::string(select_row) + "where " + std::string(states) +
           " and (coalesce(reserved_at, updated_at, 0), key) > (?1, ?2) and substr(key, 1, length(?3)) = ?3"
           " and (state in ('reserved', 'unknown') or expires_at is null or expires_at > ?4)"
           " order by coalesce(reserved_at, updated_at, 0), key";
  };
  switch (filter) {
    case KeyFilter::open:
      return sql("state in ('reserved', 'unknown')");
    case KeyFilter::all:
      return sql("true");
    case KeyFilter::reserved:
      return sql("state in ('reserved', 'unknown') and state = 'reserved'");
    case KeyFilter::accepted:
      return sql("state = 'accepted'");
    case KeyFilter::rejected:
      return sql("state = 'rejected'");
    case KeyFilter::unknown:
      return sql("state in ('reserved', 'unknown') and state = 'unknown'");
  }
  return sql("false");
}

std::int64_t row_limit(std::size_t limit) {
  return static_cast<std::int64_t>(std::min<std::size_t>(limit, std::numeric_limits<std::int32_t>::max()));
}

}  // namespace

ListPage list_keys(SqliteDatabase& database, const ListRequest& request) {
  const Viewer view(database, request.now);
  const auto after = ListCursor::parse(request.cursor);
  auto select = database.statement(list_sql(request.filter));
  select.bind(1, in_ms(after.since)).bind(2, after.key).bind(3, request.prefix).bind(4, in_ms(request.now));
  ListPage page;
  ListCursor last = after;
  while (select.step()) {
    const auto row = read_row(select);
    auto seen = view(row);
    if (!is_listed(seen, request)) continue;
    if (page.keys.size() == request.limit) {
      page.next_cursor = last.to_text();
      break;
    }
    last = {row.since().value_or(WallTime()), row.key};
    page.keys.push_back(std::move(seen));
  }
  return page;
}

std::optional<KeyView> show_key(SqliteDatabase& database, const std::string& key, WallTime now) {
  const auto row = find_row(database, key);
  if (!row || row->expired(now)) return std::nullopt;
  return Viewer(database, now)(*row);
}

StoreStats count_keys(SqliteDatabase& database, WallTime now) {
  StoreStats stats;
  {
    auto settled = database.statement(
        "select state = 'accepted', expires_at is not null and expires_at <= ?1, count(*) from sms_idempotency "
        "where state in ('accepted', 'rejected') group by 1, 2");
    settled.bind(1, in_ms(now));
    while (settled.step()) {
      auto& kept = settled.integer(0) != 0 ? stats.accepted : stats.rejected;
      (settled.integer(1) != 0 ? stats.expired : kept) += static_cast<std::uint64_t>(settled.integer(2));
    }
  }
  const Viewer view(database, now);
  static const std::string sql = std::string(select_row) + "where state in ('reserved', 'unknown')";
  auto open = database.statement(sql);
  while (open.step()) count(stats, view(read_row(open)));
  return stats;
}

std::vector<AuditRow> read_audit(SqliteDatabase& database, std::size_t limit, const std::optional<std::string>& key) {
  auto select = database.statement(
      "select at, key, who, action, why, before from sms_audit where ?1 is null or key = ?1 order by id desc limit ?2");
  select.bind(1, key).bind(2, row_limit(limit));
  std::vector<AuditRow> rows;
  while (select.step()) {
    rows.push_back({WallTime(milliseconds(select.integer(0))), select.text(1), select.text(2), select.text(3),
                    select.text(4), select.text(5)});
  }
  return rows;
}

}  // namespace sms::detail
