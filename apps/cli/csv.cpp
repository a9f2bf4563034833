#include "csv.hpp"

#include "usage_error.hpp"

#include <algorithm>

namespace sms::cli {

namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

}  // namespace

CsvReader::CsvReader(std::string_view text) : rest_(text) {
  if (rest_.starts_with(byte_order_mark)) rest_.remove_prefix(byte_order_mark.size());
}

std::optional<CsvRow> CsvReader::next() {
  while (!rest_.empty() && at_break()) take_break();
  if (rest_.empty()) return std::nullopt;
  CsvRow row{line_, {}};
  for (;;) {
    row.fields.push_back(rest_.starts_with('"') ? quoted_field() : plain_field());
    if (rest_.starts_with(',')) {
      take(1);
      continue;
    }
    if (!rest_.empty()) take_break();
    return row;
  }
}

std::string CsvReader::quoted_field() {
  const CsvReader opened = *this;
  std::string field;
  for (take(1);;) {
    if (rest_.empty()) opened.fail("the quotes that open here are never closed");
    if (rest_.starts_with("\"\"")) {
      field += '"';
      take(2);
    } else if (rest_.starts_with('"')) {
      take(1);
      break;
    } else {
      const char c = rest_.front();
      if (c == '\0') fail("there is a NUL");
      field += c;
      take(1);
      if (c == '\n') {
        ++line_;
        column_ = 1;
      }
    }
  }
  if (!rest_.empty() && !rest_.starts_with(',') && !at_break()) fail("there is text after closing quotes");
  return field;
}

std::string CsvReader::plain_field() {
  std::string field;
  while (!rest_.empty() && !rest_.starts_with(',') && !at_break()) {
    const char c = rest_.front();
    if (c == '"') fail("there are quotes within a field that does not begin with them");
    if (c == '\0') fail("there is a NUL");
    if (c == '\r') fail("a carriage return stands alone");
    field += c;
    take(1);
  }
  return field;
}

bool CsvReader::at_break() const { return rest_.starts_with('\n') || rest_.starts_with("\r\n"); }

void CsvReader::take(std::size_t count) {
  rest_.remove_prefix(count);
  column_ += count;
}

void CsvReader::take_break() {
  rest_.remove_prefix(rest_.starts_with('\r') ? 2 : 1);
  ++line_;
  column_ = 1;
}

void CsvReader::fail(std::string_view what) const {
  throw UsageError("line " + std::to_string(line_) + ", column " + std::to_string(column_) + ": " + std::string(what));
}

void write_csv_row(std::ostream& out, std::span<const std::string> fields) {
  bool first = true;
  for (const std::string& field : fields) {
    if (!first) out << ',';
    first = false;
    if (field.find_first_of(",\"\r\n") == std::string::npos) {
      out << field;
      continue;
    }
    out << '"';
    for (const char c : field) out << (c == '"' ? "\"\"" : std::string_view(&c, 1));
    out << '"';
  }
  out << '\n';
}

}  // namespace sms::cli
