#include "stores/sqlite_database.hpp"

#include <sms/error.hpp>

#include "stores/sqlite_schema.hpp"

namespace sms::detail {
namespace {

constexpr int checkpoint_pages = 1'000;
constexpr std::int64_t full = 2;  // of `pragma synchronous`

[[noreturn]] void refuse(const std::string& why) { throw StoreUnavailableError("open", why); }

}  // namespace

SqliteDatabase::SqliteDatabase(const SqliteFile& file, Purpose purpose, std::chrono::milliseconds busy_timeout) {
  if (!file.is_in_place()) refuse("the database file was removed or replaced");
  sqlite3* opened = nullptr;
  const int code = sqlite3_open_v2(
      file.path().c_str(), &opened,
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_EXRESCODE, nullptr);
  database_.reset(opened);
  if (code != SQLITE_OK) refuse("the database cannot be opened: " + std::string(sqlite3_errstr(code)));
  wait_at_most(busy_timeout);
  try {
    configure(purpose);
  } catch (const SqliteFailure& failure) {
    refuse("the database cannot be used: " + std::string(failure.what()));
  }
}

void SqliteDatabase::configure(Purpose purpose) {
  // Checkpoints belong under the lock beside the file: SQLite must not make one by itself.
  int on = 0;
  sqlite3_db_config(database_.get(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, &on);
  sqlite3_db_config(database_.get(), SQLITE_DBCONFIG_DEFENSIVE, 1, &on);
  sqlite3_db_config(database_.get(), SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, &on);
  sqlite3_wal_hook(
      database_.get(),
      [](void* pages, sqlite3*, const char*, int count) {
        *static_cast<int*>(pages) = count;
        return SQLITE_OK;
      },
      &log_pages_);

  const auto owner = number("pragma application_id");
  if (owner != sqlite_application_id && (owner != 0 || number("select count(*) from sqlite_master") != 0)) {
    refuse("the file is a database of another program");
  }
  if (number("pragma user_version") > sqlite_schema_version) {
    refuse("the database was made by a newer version of this library");
  }
  execute("pragma mmap_size = 0");
  execute("pragma temp_store = memory");
  switch (purpose) {
    case Purpose::read:
      return execute("pragma query_only = on");
    case Purpose::write:
      break;
  }
  {
    auto journal = statement("pragma journal_mode = wal");
    if (!journal.step() || journal.text(0) != "wal") refuse("the database cannot keep a write-ahead log here");
  }
  // Less would let a power cut take back a claim whose message is already with the provider.
  execute("pragma synchronous = full");
  if (number("pragma synchronous") != full) refuse("the database cannot flush each commit");
}

std::int64_t SqliteDatabase::number(std::string_view sql) {
  auto query = statement(sql);
  query.step();
  return query.integer(0);
}

void SqliteDatabase::make_schema() {
  statement("begin immediate").run();
  execute(sqlite_schema);
  statement("commit").run();
}

SqliteStatement SqliteDatabase::statement(std::string_view sql) {
  auto at = statements_.find(sql);
  if (at == statements_.end()) {
    sqlite3_stmt* prepared = nullptr;
    const int code = sqlite3_prepare_v3(database_.get(), sql.data(), static_cast<int>(sql.size()),
                                        SQLITE_PREPARE_PERSISTENT, &prepared, nullptr);
    if (code != SQLITE_OK) throw SqliteFailure(code);
    at = statements_.emplace(std::string(sql), std::unique_ptr<sqlite3_stmt, Finalizer>(prepared)).first;
  }
  return {database_.get(), at->second.get()};
}

void SqliteDatabase::execute(const char* sql) {
  if (const int code = sqlite3_exec(database_.get(), sql, nullptr, nullptr, nullptr); code != SQLITE_OK) {
    throw SqliteFailure(sqlite3_extended_errcode(database_.get()));
  }
}

bool SqliteDatabase::in_transaction() const noexcept { return sqlite3_get_autocommit(database_.get()) == 0; }

int SqliteDatabase::changes() const noexcept { return sqlite3_changes(database_.get()); }

void SqliteDatabase::wait_at_most(std::chrono::milliseconds busy_timeout) noexcept {
  sqlite3_busy_timeout(database_.get(), static_cast<int>(busy_timeout.count()));
}

void SqliteDatabase::empty_log() {
  if (number("pragma wal_checkpoint(truncate)") != 0) throw SqliteFailure(SQLITE_BUSY);
  log_pages_ = 0;
}

bool SqliteDatabase::checkpoint_is_due() const noexcept { return log_pages_ >= checkpoint_pages; }

void SqliteDatabase::checkpoint() noexcept {
  // What cannot be moved now is moved by the next one.
  sqlite3_wal_checkpoint_v2(database_.get(), nullptr, SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
  log_pages_ = 0;
}

}  // namespace sms::detail
