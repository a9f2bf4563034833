#include "stores/sqlite_operators.hpp"

#include "core/json_text.hpp"
#include "core/sha256.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace sms::detail {
namespace {

using std::chrono::milliseconds;

constexpr std::string_view select_rows =
    "select key, fingerprint, state, reservation_id, reserved_at, record, expires_at, updated_at, reserved_boot, "
    "coalesce(updated_at, reserved_at, 0) as since from sms_idempotency ";
constexpr int since_column = 9;

WallTime at(std::int64_t ms) { return WallTime(milliseconds(ms)); }
std::int64_t in_ms(WallTime time) { return time.time_since_epoch().count(); }

/// Changes whenever any column of the row does.
std::string token_of(const SqliteRow& row) {
  std::string all;
  const auto add = [&all](const std::optional<std::string>& text) {
    append_json_string(all, text.value_or(std::string()));
    all += text ? ',' : ';';
  };
  const auto add_number = [&](std::optional<std::int64_t> number) {
    add(number ? std::optional(std::to_string(*number)) : std::nullopt);
  };
  add(row.key);
  add(row.fingerprint);
  add(row.state);
  add(row.reservation_id);
  add_number(row.reserved_at);
  add(row.record);
  add_number(row.expires_at);
  add_number(row.updated_at);
  return sha256_hex(all).substr(0, 32);
}

/// Where a page ended: the time and the key of its last row.
struct Cursor {
  std::int64_t since = -1;
  std::string key;

  static Cursor parse(const std::string& text) {
    Cursor cursor;
    const auto colon = text.find(':');
    if (colon == std::string::npos) return cursor;
    std::from_chars(text.data(), text.data() + colon, cursor.since);
    cursor.key = text.substr(colon + 1);
    return cursor;
  }
  std::string to_text() const { return std::to_string(since) + ":" + key; }
};

std::string_view condition_of(KeyFilter filter) {
  switch (filter) {
    case KeyFilter::open:
      return "state in ('reserved', 'unknown')";
    case KeyFilter::all:
      return "true";
    case KeyFilter::reserved:
      return "state = 'reserved'";
    case KeyFilter::accepted:
      return "state = 'accepted'";
    case KeyFilter::rejected:
      return "state = 'rejected'";
    case KeyFilter::unknown:
      return "state = 'unknown'";
  }
  return "false";
}

}  // namespace

KeyView SqliteOperators::view(const SqliteRow& row, WallTime now, const BootTime& boot,
                              milliseconds stale_after) const {
  KeyView view;
  view.key = row.key;
  view.record = record_of(row);
  view.token = token_of(row);
  view.reservation_id = row.reservation_id;
  if (row.updated_at) view.since = at(*row.updated_at);
  if (row.expires_at) view.expires_at = at(*row.expires_at);
  view.malformed = row.malformed();
  if (row.state == "reserved") {
    if (row.reserved_at) view.since = at(*row.reserved_at);
    view.age = age_of(row, now, boot);
    view.stale = view.malformed || view.age > stale_after;
    if (row.reserved_at) view.open_since = at(*row.reserved_at) + stale_after;
  } else if (view.since) {
    view.age = std::max(now - *view.since, milliseconds(0));
    if (row.state == "unknown") view.open_since = view.since;
  }
  return view;
}

ListPage SqliteOperators::list(const ListRequest& request) {
  const auto boot = BootTime::now();
  const auto stale_after = rows_.stale_reservation();
  auto cursor = Cursor::parse(request.cursor);
  auto select = database_.statement(std::string(select_rows) + "where " + std::string(condition_of(request.filter)) +
                                    " and (coalesce(updated_at, reserved_at, 0), key) > (?1, ?2)"
                                    " and substr(key, 1, length(?3)) = ?3"
                                    " and (expires_at is null or expires_at > ?4) order by since, key");
  select.bind(1, cursor.since).bind(2, cursor.key).bind(3, request.prefix).bind(4, in_ms(request.now));
  ListPage page;
  while (select.step()) {
    auto seen = view(read_row(select), request.now, boot, stale_after);
    const bool fresh = std::holds_alternative<ReservedRecord>(seen.record) && !seen.stale;
    if ((request.filter == KeyFilter::open && fresh) || seen.age < request.min_age) continue;
    if (page.keys.size() == request.limit) {
      page.next_cursor = cursor.to_text();
      break;
    }
    cursor = {select.integer(since_column), seen.key};
    page.keys.push_back(std::move(seen));
  }
  return page;
}

std::optional<KeyView> SqliteOperators::show(const std::string& key, WallTime now) {
  const auto row = rows_.find(key);
  if (!row || row->expired(now)) return std::nullopt;
  return view(*row, now, BootTime::now(), rows_.stale_reservation());
}

OperatorResult SqliteOperators::resolve(const ResolveRequest& request, const std::string& new_id) {
  const auto row = rows_.find(request.key);
  if (!row || row->expired(request.now)) return OperatorResult::not_found;
  const auto seen = view(*row, request.now, BootTime::now(), rows_.stale_reservation());
  if (seen.token != request.token) return OperatorResult::changed;
  const bool open = std::holds_alternative<UnknownRecord>(seen.record) || seen.stale;
  if (!open) return OperatorResult::not_open;
  if (id_in_use(request)) return OperatorResult::id_in_use;

  FinalizeRequest final_record;
  final_record.key = request.key;
  final_record.reservation_id = row->reservation_id.value_or(std::string());
  // The message was sent under this ID, so that is what webhooks name.
  const bool ours = final_record.reservation_id.size() == 32;
  const auto id = ours ? "sms_" + final_record.reservation_id : new_id;
  final_record.record = resolved_record(seen.record, request.provider, request.provider_id, id);
  final_record.ttl = request.ttl;
  final_record.now = request.now;
  rows_.write_final(final_record);
  write_audit(*row, request.note, "resolve", request.now);
  return OperatorResult::done;
}

OperatorResult SqliteOperators::release(const ReleaseRequest& request) {
  const auto row = rows_.find(request.key);
  if (!row || row->expired(request.now)) return OperatorResult::not_found;
  const auto stale_after = rows_.stale_reservation();
  const auto seen = view(*row, request.now, BootTime::now(), stale_after);
  if (seen.token != request.token) return OperatorResult::changed;
  const bool reserved = std::holds_alternative<ReservedRecord>(seen.record);
  const bool unknown = std::holds_alternative<UnknownRecord>(seen.record);
  if (!reserved && !unknown) return OperatorResult::not_open;
  if (!request.force) {
    if (reserved && !seen.stale) return OperatorResult::not_open;
    const auto open_for = reserved ? seen.age - stale_after : seen.age;
    if (open_for < request.settle) return OperatorResult::not_settled;
  }
  auto remove = database_.statement("delete from sms_idempotency where key = ?1");
  remove.bind(1, request.key).run();
  write_audit(*row, request.note, request.force ? "release (forced)" : "release", request.now);
  return OperatorResult::done;
}

bool SqliteOperators::id_in_use(const ResolveRequest& request) {
  auto select = database_.statement(
      "select 1 from sms_idempotency where state = 'accepted' and key <> ?1 and (expires_at is null or expires_at > "
      "?4) "
      "and json_extract(record, '$.result.provider') = ?2 and json_extract(record, '$.result.providerId') = ?3 limit "
      "1");
  select.bind(1, request.key).bind(2, request.provider).bind(3, request.provider_id).bind(4, in_ms(request.now));
  return select.step();
}

void SqliteOperators::write_audit(const SqliteRow& before, const OperatorNote& note, std::string_view action,
                                  WallTime now) {
  auto insert =
      database_.statement("insert into sms_audit (at, key, who, action, why, before) values (?1, ?2, ?3, ?4, ?5, ?6)");
  insert.bind(1, in_ms(now)).bind(2, before.key).bind(3, note.who).bind(4, action).bind(5, note.why);
  insert.bind(6, to_json(record_of(before))).run();
}

std::size_t SqliteOperators::purge_expired(std::size_t limit, WallTime now) {
  auto remove = database_.statement(
      "delete from sms_idempotency where state in ('accepted', 'rejected') and expires_at <= ?1 "
      "and rowid in (select rowid from sms_idempotency where expires_at <= ?1 order by expires_at limit ?2)");
  remove.bind(1, in_ms(now)).bind(2, static_cast<std::int64_t>(std::min<std::size_t>(limit, 1'000'000'000))).run();
  return static_cast<std::size_t>(database_.changes());
}

StoreStats SqliteOperators::stats(WallTime now) {
  const auto boot = BootTime::now();
  const auto stale_after = rows_.stale_reservation();
  StoreStats stats;
  {
    auto count = database_.statement(
        "select state, expires_at is not null and expires_at <= ?1, count(*) from sms_idempotency group by 1, 2");
    count.bind(1, in_ms(now));
    while (count.step()) {
      const auto rows = static_cast<std::uint64_t>(count.integer(2));
      const auto state = count.text(0);
      auto& counter = count.integer(1) != 0 ? stats.expired
                      : state == "reserved" ? stats.reserved
                      : state == "accepted" ? stats.accepted
                      : state == "rejected" ? stats.rejected
                                            : stats.unknown;
      counter += rows;
    }
  }
  auto open = database_.statement(std::string(select_rows) + "where state in ('reserved', 'unknown') order by since");
  while (open.step()) {
    const auto row = read_row(open);
    const bool reserved = row.state == "reserved";
    const bool stale = reserved && (row.malformed() || age_of(row, now, boot) > stale_after);
    if (stale) ++stats.stale;
    if ((stale || !reserved) && !stats.oldest_open) stats.oldest_open = at(open.integer(since_column));
  }
  return stats;
}

std::vector<AuditRow> SqliteOperators::audit(std::size_t limit, const std::optional<std::string>& key) {
  auto select = database_.statement(
      "select at, key, who, action, why, before from sms_audit where ?1 is null or key = ?1 order by id desc limit ?2");
  select.bind(1, key).bind(2, static_cast<std::int64_t>(std::min<std::size_t>(limit, 1'000'000'000)));
  std::vector<AuditRow> rows;
  while (select.step()) {
    rows.push_back(
        {at(select.integer(0)), select.text(1), select.text(2), select.text(3), select.text(4), select.text(5)});
  }
  return rows;
}

}  // namespace sms::detail
