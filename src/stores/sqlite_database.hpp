#pragma once

#include <sms/stores/sqlite.hpp>

#include "stores/sqlite_lock.hpp"

#include <sqlite3.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace sms::detail {

/// What SQLite answered instead of OK. `fatal`: the file must be opened again before it is used.
class SqliteFailure {
 public:
  SqliteFailure(int code, std::string what) : code_(code), what_(std::move(what)) {}
  int code() const noexcept { return code_; }
  const std::string& what() const noexcept { return what_; }
  bool fatal() const noexcept;

 private:
  int code_;
  std::string what_;
};

/// A prepared statement while it is bound and stepped; resets itself.
class SqliteStatement {
 public:
  SqliteStatement(sqlite3* database, sqlite3_stmt* statement) noexcept : database_(database), statement_(statement) {}
  SqliteStatement(const SqliteStatement&) = delete;
  SqliteStatement& operator=(const SqliteStatement&) = delete;
  ~SqliteStatement();

  SqliteStatement& bind(int index, std::string_view value);
  SqliteStatement& bind(int index, std::int64_t value);
  SqliteStatement& bind_null(int index);
  template <class T>
  SqliteStatement& bind(int index, const std::optional<T>& value) {
    return value ? bind(index, *value) : bind_null(index);
  }

  /// True: there is a row. Throws `SqliteFailure`.
  bool step();
  /// Runs to the end.
  void run();

  bool is_null(int column) const noexcept;
  std::string text(int column) const;
  std::int64_t integer(int column) const noexcept;
  std::optional<std::string> text_if(int column) const;
  std::optional<std::int64_t> integer_if(int column) const;

 private:
  sqlite3* database_;
  sqlite3_stmt* statement_;
};

/// One connection to the file, with its schema, its settings and the lock beside it. Belongs to one thread.
class SqliteDatabase {
 public:
  /// Opens or makes the file. Throws `StoreUnavailableError`.
  explicit SqliteDatabase(const SqliteOptions& options);
  SqliteDatabase(const SqliteDatabase&) = delete;
  SqliteDatabase& operator=(const SqliteDatabase&) = delete;
  ~SqliteDatabase();

  /// A statement by its text; prepared once.
  SqliteStatement statement(std::string_view sql);
  void execute(const char* sql);
  /// Whether a transaction is open: SQLite ends one by itself after some errors.
  bool in_transaction() const noexcept;
  int changes() const noexcept;

  /// The lock over all processes. Throws `StoreUnavailableError` after `deadline`, or when the file was replaced or
  /// removed.
  SqliteLock::Held lock(std::chrono::steady_clock::time_point deadline);
  /// Moves the WAL into the file now and then. To be called while the lock is held and no transaction is open.
  void checkpoint_when_due();

  const std::string& identity() const noexcept { return identity_; }

 private:
  struct Closer {
    void operator()(sqlite3* database) const noexcept { sqlite3_close_v2(database); }
  };
  struct Finalizer {
    void operator()(sqlite3_stmt* statement) const noexcept { sqlite3_finalize(statement); }
  };

  std::int64_t number(std::string_view sql);
  void configure();
  void make_schema();
  void check_file() const;

  std::string path_;
  SqliteLock lock_;
  std::unique_ptr<sqlite3, Closer> database_;
  std::map<std::string, std::unique_ptr<sqlite3_stmt, Finalizer>, std::less<>> statements_;
  std::uint64_t device_ = 0;
  std::uint64_t inode_ = 0;
  std::string identity_;
  int log_pages_ = 0;
};

}  // namespace sms::detail
