#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace sms::detail {

/// What SQLite answered instead of OK.
class SqliteFailure : public std::exception {
 public:
  explicit SqliteFailure(int code) : code_(code), what_(sqlite3_errstr(code)) {}
  SqliteFailure(int code, std::string what) : code_(code), what_(std::move(what)) {}

  const char* what() const noexcept override { return what_.c_str(); }
  int code() const noexcept { return code_; }
  /// Another connection holds the database.
  bool busy() const noexcept;
  /// The connection must not be used any more: what it believes of the file may not be what is on the disk.
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
  SqliteStatement& checked(int code);

  sqlite3* database_;
  sqlite3_stmt* statement_;
};

}  // namespace sms::detail
