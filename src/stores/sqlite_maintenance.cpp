#include "stores/sqlite_maintenance.hpp"

#include <sms/error.hpp>

#include "stores/sqlite_history.hpp"
#include "stores/sqlite_lock.hpp"
#include "stores/sqlite_schema.hpp"

#include <sys/stat.h>
#include <sys/vfs.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>

namespace sms::detail {
namespace {

using Level = StoreFinding::Level;

constexpr std::uint32_t overlay = 0x794C7630;
constexpr std::uint32_t memory_file_systems[] = {
    0x01021994,  // tmpfs
    0x858458F6,  // ramfs
};
constexpr std::uintmax_t long_log = std::uintmax_t{256} << 20U;

StoreFinding examine_place(const SqliteFile& file) {
  struct stat status {};
  if (!file.is_in_place() || stat(file.path().c_str(), &status) != 0) {
    return {Level::problem, "file", "the database file was removed or replaced"};
  }
  if ((status.st_mode & 077U) != 0) {
    return {Level::warning, "file", file.path() + " may be read by others: chmod 600"};
  }
  return {Level::fine, "file", file.path() + ", for its owner alone"};
}

StoreFinding examine_file_system(const SqliteFile& file) {
  struct statfs status {};
  if (statfs(file.path().c_str(), &status) != 0) {
    return {Level::warning, "file system", "cannot be examined: " + std::generic_category().message(errno)};
  }
  const auto type = static_cast<std::uint32_t>(status.f_type);
  for (const auto memory : memory_file_systems) {
    if (type == memory) return {Level::warning, "file system", "in memory: a restart of the machine loses all keys"};
  }
  if (type == overlay) {
    return {Level::warning, "file system", "a layer of a container, which goes with it: put the file on a volume"};
  }
  return {Level::fine, "file system", "local"};
}

StoreFinding examine_log(const SqliteFile& file) {
  std::error_code none;
  const auto size = std::filesystem::file_size(file.path() + "-wal", none);
  if (!none && size > long_log) {
    return {
        Level::warning, "journal",
        "the log has " + std::to_string(size >> 20U) + " MiB: a reader that stays open keeps it from being emptied"};
  }
  return {Level::fine, "journal", "the log is moved into the file regularly"};
}

}  // namespace

std::vector<StoreFinding> examine_file(const SqliteFile& file) {
  return {examine_place(file), examine_file_system(file), examine_log(file)};
}

std::vector<StoreFinding> examine_database(SqliteDatabase& database) {
  constexpr std::int64_t full = 2;
  std::vector<StoreFinding> findings;
  const auto version = database.number("pragma user_version");
  findings.push_back({version == sqlite_schema_version ? Level::fine : Level::problem, "schema",
                      "version " + std::to_string(version) + " of " + std::to_string(sqlite_schema_version)});
  auto journal = database.statement("pragma journal_mode");
  const bool durable = journal.step() && journal.text(0) == "wal" && database.number("pragma synchronous") >= full;
  findings.push_back({durable ? Level::fine : Level::problem, "durability",
                      durable ? "write-ahead log, each commit is flushed (synchronous=FULL)"
                              : "commits are not flushed: a power cut may take claims back"});
  return findings;
}

void acknowledge_restore(const SqliteFile& file, std::chrono::milliseconds busy_timeout, const OperatorNote& note) {
  try {
    SqliteLock lock(file.path() + "-lock");
    const auto held = lock.take(BootClock::now() + busy_timeout);
    if (!held) throw StoreUnavailableError("acknowledge", "another process holds the database");
    SqliteDatabase database(file, SqliteDatabase::Purpose::write, busy_timeout);
    const auto now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
    const std::int64_t now_ms = now.time_since_epoch().count();
    database.statement("begin immediate").run();
    acknowledge_mark(database, now_ms);
    database.statement("insert into sms_audit (at, key, who, action, why, before) values (?1, '', ?2, ?3, ?4, '')")
        .bind(1, now_ms)
        .bind(2, note.who)
        .bind(3, "acknowledge-restore")
        .bind(4, note.why)
        .run();
    database.statement("commit").run();
  } catch (const SqliteFailure& failure) {
    throw StoreUnavailableError("acknowledge", "SQLite says: " + std::string(failure.what()));
  }
}

}  // namespace sms::detail
