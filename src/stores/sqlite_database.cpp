#include "stores/sqlite_database.hpp"

#include <sms/error.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

namespace sms::detail {
namespace {

constexpr std::int64_t application_id = 0x534D5344;  // "SMSD"
constexpr std::int64_t schema_version = 1;
constexpr int checkpoint_pages = 1'000;

/// The first part is the table of the contract, so that its tools can read the file; the rest is ours.
constexpr const char* schema = R"sql(
create table if not exists sms_idempotency (
  key            text primary key not null,
  fingerprint    text not null,
  state          text not null check (state in ('reserved', 'accepted', 'rejected', 'unknown')),
  reservation_id text,
  reserved_at    integer,
  record         text,
  expires_at     integer,
  updated_at     integer,
  reserved_boot  text
);
create index if not exists sms_idempotency_open
  on sms_idempotency (updated_at, key) where state in ('reserved', 'unknown');
create index if not exists sms_idempotency_expiry
  on sms_idempotency (expires_at) where expires_at is not null;
create index if not exists sms_idempotency_reservation
  on sms_idempotency (reservation_id) where reservation_id is not null;
create table if not exists sms_store (
  name  text primary key not null,
  value text not null
);
create table if not exists sms_audit (
  id     integer primary key autoincrement,
  at     integer not null,
  key    text not null,
  who    text not null,
  action text not null,
  why    text not null,
  before text not null
);
insert or ignore into sms_store (name, value) values ('identity', lower(hex(randomblob(16))));
)sql";

/// Magic numbers of statfs(2) for file systems whose locks or flushes do not reach other machines reliably.
constexpr std::array<std::uint32_t, 9> network_file_systems = {
    0x6969,      // NFS
    0x517B,      // SMB
    0xFE534D42,  // SMB2
    0xFF534D42,  // CIFS
    0x5346414F,  // AFS
    0x00C36400,  // Ceph
    0x73757245,  // Coda
    0x0BD00BD0,  // Lustre
    0x564C,      // NCP
};

[[noreturn]] void refuse(const std::string& why) { throw StoreUnavailableError("open", why); }

void refuse_network_file_system(const std::string& path) {
  auto folder = std::filesystem::absolute(path).parent_path();
  struct statfs status {};
  if (statfs(folder.c_str(), &status) != 0) {
    refuse("the folder of the database cannot be used: " + std::generic_category().message(errno));
  }
  const auto type = static_cast<std::uint32_t>(status.f_type);
  if (std::ranges::find(network_file_systems, type) != network_file_systems.end()) {
    refuse(
        "the database lies on a network file system, where the locks that keep a key from being claimed twice are not "
        "safe");
  }
}

/// Makes the file before SQLite does, for its owner alone.
void make_private_file(const std::string& path) {
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) refuse("the database file cannot be opened: " + std::generic_category().message(errno));
  close(file);
}

}  // namespace

bool SqliteFailure::fatal() const noexcept {
  switch (code_ & 0xFF) {
    case SQLITE_IOERR:
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_CANTOPEN:
    case SQLITE_PROTOCOL:
      return true;
    default:
      return false;
  }
}

SqliteStatement::~SqliteStatement() {
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
}

SqliteStatement& SqliteStatement::bind(int index, std::string_view value) {
  sqlite3_bind_text64(statement_, index, value.data() == nullptr ? "" : value.data(), value.size(), SQLITE_TRANSIENT,
                      SQLITE_UTF8);
  return *this;
}

SqliteStatement& SqliteStatement::bind(int index, std::int64_t value) {
  sqlite3_bind_int64(statement_, index, value);
  return *this;
}

SqliteStatement& SqliteStatement::bind_null(int index) {
  sqlite3_bind_null(statement_, index);
  return *this;
}

bool SqliteStatement::step() {
  switch (const int code = sqlite3_step(statement_)) {
    case SQLITE_ROW:
      return true;
    case SQLITE_DONE:
      return false;
    default:
      throw SqliteFailure(sqlite3_extended_errcode(database_), sqlite3_errstr(code));
  }
}

void SqliteStatement::run() {
  while (step()) {
  }
}

bool SqliteStatement::is_null(int column) const noexcept {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

std::string SqliteStatement::text(int column) const {
  const auto* bytes = sqlite3_column_blob(statement_, column);
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
  return bytes == nullptr ? std::string() : std::string(static_cast<const char*>(bytes), size);
}

std::int64_t SqliteStatement::integer(int column) const noexcept { return sqlite3_column_int64(statement_, column); }

std::optional<std::string> SqliteStatement::text_if(int column) const {
  return is_null(column) ? std::nullopt : std::optional(text(column));
}

std::optional<std::int64_t> SqliteStatement::integer_if(int column) const {
  return is_null(column) ? std::nullopt : std::optional(integer(column));
}

SqliteDatabase::SqliteDatabase(const SqliteOptions& options) : path_(options.path), lock_(options.path + "-lock") {
  refuse_network_file_system(path_);
  const auto held = lock_.take(std::chrono::steady_clock::now() + options.busy_timeout);
  make_private_file(path_);

  sqlite3* opened = nullptr;
  const int code = sqlite3_open_v2(
      path_.c_str(), &opened,
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_EXRESCODE, nullptr);
  database_.reset(opened);
  if (code != SQLITE_OK) refuse("the database cannot be opened: " + std::string(sqlite3_errstr(code)));
  sqlite3_busy_timeout(opened, static_cast<int>(options.busy_timeout.count()));

  struct stat status {};
  if (stat(path_.c_str(), &status) != 0) refuse("the database file is gone");
  device_ = status.st_dev;
  inode_ = status.st_ino;
  try {
    configure();
    make_schema();
  } catch (const SqliteFailure& failure) {
    refuse("the database cannot be used: " + failure.what());
  }
}

SqliteDatabase::~SqliteDatabase() {
  statements_.clear();
  try {
    const auto held = lock_.take(std::chrono::steady_clock::now() + std::chrono::milliseconds(200));
    sqlite3_wal_checkpoint_v2(database_.get(), nullptr, SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
    database_.reset();
  } catch (const StoreUnavailableError&) {
    // Another process is writing: its next checkpoint takes our pages along.
  }
}

void SqliteDatabase::configure() {
  int on = 0;
  sqlite3_db_config(database_.get(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, &on);
  sqlite3_db_config(database_.get(), SQLITE_DBCONFIG_DEFENSIVE, 1, &on);
  sqlite3_db_config(database_.get(), SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, &on);
  const auto owner = number("pragma application_id");
  if (owner != application_id && (owner != 0 || number("select count(*) from sqlite_master") != 0)) {
    refuse("the file is a database of another program");
  }
  if (number("pragma user_version") > schema_version)
    refuse("the database was made by a newer version of this library");
  {
    auto journal = statement("pragma journal_mode = wal");
    if (!journal.step() || journal.text(0) != "wal") refuse("the database cannot use a write-ahead log here");
  }
  sqlite3_wal_hook(
      database_.get(),
      [](void* pages, sqlite3*, const char*, int count) {
        *static_cast<int*>(pages) = count;
        return SQLITE_OK;
      },
      &log_pages_);
  execute("pragma synchronous = full");
  execute("pragma mmap_size = 0");
  execute("pragma temp_store = memory");
}

std::int64_t SqliteDatabase::number(std::string_view sql) {
  auto query = statement(sql);
  query.step();
  return query.integer(0);
}

void SqliteDatabase::make_schema() {
  execute("begin immediate");
  execute(schema);
  execute("pragma application_id = 1397576516");
  execute("pragma user_version = 1");
  execute("commit");
  auto select = statement("select value from sms_store where name = 'identity'");
  if (select.step()) identity_ = select.text(0);
}

SqliteStatement SqliteDatabase::statement(std::string_view sql) {
  auto at = statements_.find(sql);
  if (at == statements_.end()) {
    sqlite3_stmt* prepared = nullptr;
    const int code = sqlite3_prepare_v3(database_.get(), sql.data(), static_cast<int>(sql.size()),
                                        SQLITE_PREPARE_PERSISTENT, &prepared, nullptr);
    if (code != SQLITE_OK) throw SqliteFailure(code, sqlite3_errstr(code));
    at = statements_.emplace(std::string(sql), std::unique_ptr<sqlite3_stmt, Finalizer>(prepared)).first;
  }
  return {database_.get(), at->second.get()};
}

void SqliteDatabase::execute(const char* sql) {
  if (const int code = sqlite3_exec(database_.get(), sql, nullptr, nullptr, nullptr); code != SQLITE_OK) {
    throw SqliteFailure(sqlite3_extended_errcode(database_.get()), sqlite3_errstr(code));
  }
}

bool SqliteDatabase::in_transaction() const noexcept { return sqlite3_get_autocommit(database_.get()) == 0; }

int SqliteDatabase::changes() const noexcept { return sqlite3_changes(database_.get()); }

SqliteLock::Held SqliteDatabase::lock(std::chrono::steady_clock::time_point deadline) {
  auto held = lock_.take(deadline);
  check_file();
  return held;
}

void SqliteDatabase::check_file() const {
  struct stat status {};
  if (stat(path_.c_str(), &status) != 0 || status.st_dev != device_ || status.st_ino != inode_) {
    throw StoreUnavailableError("lock", "the database file was removed or replaced while it was in use");
  }
}

void SqliteDatabase::checkpoint_when_due() {
  if (log_pages_ < checkpoint_pages) return;
  sqlite3_wal_checkpoint_v2(database_.get(), nullptr, SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
  log_pages_ = 0;
}

}  // namespace sms::detail
