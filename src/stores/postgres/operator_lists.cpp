#include "core/operator_rules.hpp"
#include "stores/postgres/operators.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace sms::detail {
namespace {

using std::chrono::milliseconds;

constexpr int rows_at_once = 500;

std::string list_sql(KeyFilter filter) {
  // The expressions of the index over open rows, word for word.
  const auto sql = [](std::string_view states) {
    return "select coalesce(t.reserved_at, t.updated_at, 0), " + std::string(row_columns) +
           " from sms_idempotency t where " + std::string(states) +
           " and (coalesce(reserved_at, updated_at, 0), key collate \"C\") > ($1::bigint, $2 collate \"C\")"
           " and starts_with(t.key, $3) and (t.state in ('reserved', 'unknown') or t.expires_at is null or "
           "t.expires_at > $4::bigint) order by coalesce(reserved_at, updated_at, 0), key collate \"C\" limit "
           "$5::bigint";
  };
  switch (filter) {
    case KeyFilter::open:
      return sql("t.state in ('reserved', 'unknown')");
    case KeyFilter::all:
      return sql("true");
    case KeyFilter::reserved:
      return sql("t.state in ('reserved', 'unknown') and t.state = 'reserved'");
    case KeyFilter::accepted:
      return sql("t.state = 'accepted'");
    case KeyFilter::rejected:
      return sql("t.state = 'rejected'");
    case KeyFilter::unknown:
      return sql("t.state in ('reserved', 'unknown') and t.state = 'unknown'");
  }
  return sql("false");
}

/// Calls `see` for each row in the order of the list until it says false; `after` is where it stands.
template <class See>
void for_each_row(PgLink& link, KeyFilter filter, std::string_view prefix, ListCursor& after, const PgMoment& moment,
                  See see) {
  const auto sql = list_sql(filter);
  int rows = rows_at_once;
  while (rows == rows_at_once) {
    const auto result = link.run(sql, PgParameters()
                                          .number(in_ms(after.since))
                                          .text(after.key)
                                          .text(prefix)
                                          .number(in_ms(moment.now))
                                          .number(rows_at_once));
    rows = result.rows();
    for (int i = 0; i < rows; ++i) {
      after = {WallTime(milliseconds(result.integer(i, 0))), result.text(i, 1)};
      if (!see(read_row(result, i, 1))) return;
    }
  }
}

}  // namespace

PgMoment moment_of(PgLink& link) {
  constexpr std::int64_t unless_known = 300'000;
  static const std::string sql = "select " + std::string(server_time) +
                                 ", (select value::bigint from sms_store where name = 'stale_reservation_ms')";
  const auto result = link.run(sql);
  return {WallTime(milliseconds(result.integer(0, 0))), milliseconds(result.integer_if(0, 1).value_or(unless_known))};
}

KeyView view_of(const PgRow& row, const PgMoment& moment) {
  return view_of(row, row.version, age_of(row, moment.now), moment.stale_after);
}

ListPage list_keys(PgLink& link, const ListRequest& request) {
  const auto moment = moment_of(link);
  auto after = ListCursor::parse(request.cursor);
  ListPage page;
  auto last = after;
  for_each_row(link, request.filter, request.prefix, after, moment, [&](const PgRow& row) {
    auto view = view_of(row, moment);
    if (!is_listed(view, request)) return true;
    if (page.keys.size() == request.limit) {
      page.next_cursor = last.to_text();
      return false;
    }
    last = after;
    page.keys.push_back(std::move(view));
    return true;
  });
  return page;
}

std::optional<KeyView> show_key(PgLink& link, const std::string& key) {
  const auto moment = moment_of(link);
  static const std::string sql = "select " + std::string(row_columns) + " from sms_idempotency t where t.key = $1";
  const auto result = link.run(sql, PgParameters().text(key));
  if (result.rows() == 0) return std::nullopt;
  const auto row = read_row(result, 0, 0);
  return row.expired(moment.now) ? std::nullopt : std::optional(view_of(row, moment));
}

StoreStats count_keys(PgLink& link) {
  StoreStats stats;
  const auto moment = moment_of(link);
  const auto settled = link.run(
      "select state = 'accepted', expires_at is not null and expires_at <= $1::bigint, count(*) from sms_idempotency "
      "where state in ('accepted', 'rejected') group by 1, 2",
      PgParameters().number(in_ms(moment.now)));
  for (int i = 0; i < settled.rows(); ++i) {
    auto& kept = settled.boolean(i, 0) ? stats.accepted : stats.rejected;
    (settled.boolean(i, 1) ? stats.expired : kept) += static_cast<std::uint64_t>(settled.integer(i, 2));
  }
  ListCursor after;
  for_each_row(link, KeyFilter::open, "", after, moment, [&](const PgRow& row) {
    count(stats, view_of(row, moment));
    return true;
  });
  return stats;
}

std::vector<AuditRow> read_audit(PgLink& link, std::size_t limit, const std::optional<std::string>& key) {
  constexpr std::size_t most = std::numeric_limits<std::int32_t>::max();
  const auto result = link.run(
      "select at, key, who, action, why, before from sms_audit where $1 is null or key = $1 order by id desc "
      "limit $2::bigint",
      PgParameters().text_or_null(key).number(static_cast<std::int64_t>(std::min(limit, most))));
  std::vector<AuditRow> rows;
  for (int i = 0; i < result.rows(); ++i) {
    rows.push_back({WallTime(milliseconds(result.integer(i, 0))), result.text(i, 1), result.text(i, 2),
                    result.text(i, 3), result.text(i, 4), result.text(i, 5)});
  }
  return rows;
}

}  // namespace sms::detail
