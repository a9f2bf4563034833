#include "stores/sqlite_statement.hpp"

namespace sms::detail {
namespace {

constexpr int primary_code = 0xFF;

}  // namespace

bool SqliteFailure::busy() const noexcept {
  return (code_ & primary_code) == SQLITE_BUSY || (code_ & primary_code) == SQLITE_LOCKED;
}

bool SqliteFailure::fatal() const noexcept {
  switch (code_ & primary_code) {
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
  const char* text = value.data() == nullptr ? "" : value.data();
  return checked(sqlite3_bind_text64(statement_, index, text, value.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
}

SqliteStatement& SqliteStatement::bind(int index, std::int64_t value) {
  return checked(sqlite3_bind_int64(statement_, index, value));
}

SqliteStatement& SqliteStatement::bind_null(int index) { return checked(sqlite3_bind_null(statement_, index)); }

SqliteStatement& SqliteStatement::checked(int code) {
  if (code != SQLITE_OK) throw SqliteFailure(code);
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
  const auto* bytes = sqlite3_column_text(statement_, column);
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
  return bytes == nullptr ? std::string() : std::string(reinterpret_cast<const char*>(bytes), size);
}

std::int64_t SqliteStatement::integer(int column) const noexcept { return sqlite3_column_int64(statement_, column); }

std::optional<std::string> SqliteStatement::text_if(int column) const {
  return is_null(column) ? std::nullopt : std::optional(text(column));
}

std::optional<std::int64_t> SqliteStatement::integer_if(int column) const {
  return is_null(column) ? std::nullopt : std::optional(integer(column));
}

}  // namespace sms::detail
