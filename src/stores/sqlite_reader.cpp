#include "stores/sqlite_reader.hpp"

#include <sms/error.hpp>

#include "stores/sqlite_rows.hpp"

namespace sms::detail {
namespace {

/// Readers wait for nobody but a connection that repairs the log after a crash.
constexpr auto patience = std::chrono::milliseconds(50);

}  // namespace

template <class Work>
auto SqliteReader::read(Work work) -> decltype(work(std::declval<SqliteDatabase&>())) {
  const std::lock_guard lock(mutex_);
  try {
    if (!file_.is_in_place()) return std::nullopt;
    if (!database_) database_ = std::make_unique<SqliteDatabase>(file_, SqliteDatabase::Purpose::read, patience);
    history_.check(*database_);
    return work(*database_);
  } catch (const std::exception&) {
    database_.reset();
    return std::nullopt;
  }
}

std::optional<std::optional<IdempotencyRecord>> SqliteReader::get(const std::string& key, WallTime now) {
  using Answer = std::optional<IdempotencyRecord>;
  return read([&](SqliteDatabase& database) -> std::optional<Answer> {
    const auto row = find_row(database, key);
    return row && !row->expired(now) ? Answer(record_of(*row)) : Answer();
  });
}

std::optional<Existing> SqliteReader::existing(const ReserveRequest& request) {
  return read([&](SqliteDatabase& database) { return find_existing(database, request); });
}

}  // namespace sms::detail
