#pragma once

#include <cstddef>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sms::cli {

/// A record of a CSV text, and the line on which it begins.
struct CsvRow {
  std::size_t line = 1;
  std::vector<std::string> fields;
};

/// Reads CSV as RFC 4180 has it, strictly: commas, fields in double quotes where they hold commas, quotes (doubled) or
/// line breaks, nothing around a quoted field; lines end with CRLF or LF. A byte order mark at the front does not
/// count, nor do empty lines. Throws `UsageError` naming line and column.
class CsvReader {
 public:
  explicit CsvReader(std::string_view text);

  /// None at the end.
  std::optional<CsvRow> next();

 private:
  std::string quoted_field();
  std::string plain_field();
  bool at_break() const;
  void take(std::size_t count);
  void take_break();
  [[noreturn]] void fail(std::string_view what) const;

  std::string_view rest_;
  std::size_t line_ = 1;
  std::size_t column_ = 1;
};

void write_csv_row(std::ostream& out, std::span<const std::string> fields);

}  // namespace sms::cli
