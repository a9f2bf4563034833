#include "stores/sqlite_history.hpp"

#include <sms/error.hpp>

#include <algorithm>
#include <charconv>

namespace sms::detail {
namespace {

struct Origin {
  std::string identity;
  SqliteMark mark;
};

std::int64_t number(const std::string& text) {
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

Origin read_origin(SqliteDatabase& database) {
  auto select =
      database.statement("select name, value from sms_store where name in ('identity', 'acknowledged', 'high_water')");
  Origin origin;
  while (select.step()) {
    const std::string name = select.text(0);
    if (name == "identity") origin.identity = select.text(1);
    if (name == "acknowledged") origin.mark.acknowledged = number(select.text(1));
    if (name == "high_water") origin.mark.commits = number(select.text(1));
  }
  return origin;
}

void write_value(SqliteDatabase& database, std::string_view name, std::int64_t value) {
  auto upsert = database.statement(
      "insert into sms_store (name, value) values (?1, ?2) on conflict (name) do update set value = excluded.value");
  upsert.bind(1, name).bind(2, std::to_string(value)).run();
}

}  // namespace

void SqliteHistory::begin(SqliteDatabase& database) {
  const Origin origin = read_origin(database);
  identity_ = origin.identity;
  remember(origin.mark);
}

SqliteMark SqliteHistory::check(SqliteDatabase& database) const {
  // Before the file is read: what others remember in between is no later than what is read then.
  const auto furthest = [this] {
    const std::lock_guard lock(mutex_);
    return furthest_;
  }();
  const Origin origin = read_origin(database);
  if (origin.identity != identity_) throw StoreUnavailableError("open", "the file holds another store than before");
  if (origin.mark < furthest) {
    throw StoreUnavailableError("open",
                                "the file went back in time, as after a restored backup, and may have lost claims: "
                                "sms-sdk keys acknowledge-restore lets it serve again");
  }
  return origin.mark;
}

void SqliteHistory::write(SqliteDatabase& database, const SqliteMark& mark) {
  write_value(database, "high_water", mark.commits);
}

void SqliteHistory::remember(const SqliteMark& mark) {
  const std::lock_guard lock(mutex_);
  furthest_ = std::max(furthest_, mark);
}

void acknowledge_mark(SqliteDatabase& database, std::int64_t now_ms) {
  const SqliteMark mark = read_origin(database).mark;
  write_value(database, "acknowledged", std::max(mark.acknowledged + 1, now_ms));
}

}  // namespace sms::detail
