#include "csv.hpp"

#include "usage_error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace sms::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using Fields = std::vector<std::string>;

std::vector<Fields> rows_of(std::string_view text) {
  std::vector<Fields> rows;
  CsvReader reader(text);
  while (const auto row = reader.next()) rows.push_back(row->fields);
  return rows;
}

std::string fault_of(std::string_view text) {
  try {
    rows_of(text);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "none";
}

TEST(Csv, ReadsPlainAndQuotedFields) {
  EXPECT_THAT(rows_of("a,b,c\nd,,\n"), ElementsAre(Fields{"a", "b", "c"}, Fields{"d", "", ""}));
  EXPECT_THAT(rows_of("\"a,b\",\"say \"\"hi\"\"\",\"two\r\nlines\""),
              ElementsAre(Fields{"a,b", "say \"hi\"", "two\r\nlines"}));
  EXPECT_THAT(rows_of("a\r\n\"\"\r\n"), ElementsAre(Fields{"a"}, Fields{""}));
}

TEST(Csv, KeepsSpacesBecauseAKeyMayHaveThem) { EXPECT_THAT(rows_of(" a , b\n"), ElementsAre(Fields{" a ", " b"})); }

TEST(Csv, SkipsAByteOrderMarkAndEmptyLines) {
  EXPECT_THAT(rows_of("\xEF\xBB\xBF"
                      "a\n\n\r\nb\n\n"),
              ElementsAre(Fields{"a"}, Fields{"b"}));
  EXPECT_TRUE(rows_of("").empty());
}

TEST(Csv, CountsTheLinesOfTheTextAndNotOfTheRecords) {
  CsvReader reader("a\n\"1\n2\"\n\nb\n");
  std::vector<std::size_t> lines;
  while (const auto row = reader.next()) lines.push_back(row->line);
  EXPECT_THAT(lines, ElementsAre(1, 2, 5));
}

TEST(Csv, NamesLineAndColumnOfWhatIsNoCsv) {
  EXPECT_THAT(fault_of("a,b\nc,\"d\ne"), HasSubstr("line 2, column 3: the quotes that open here are never closed"));
  EXPECT_THAT(fault_of("a,b\"c\n"), HasSubstr("line 1, column 4: there are quotes within a field"));
  EXPECT_THAT(fault_of("\"a\" ,b\n"), HasSubstr("line 1, column 4: there is text after closing quotes"));
  EXPECT_THAT(fault_of("a\rb\n"), HasSubstr("line 1, column 2: a carriage return stands alone"));
  EXPECT_THAT(fault_of(std::string_view("a,\0", 3)), HasSubstr("line 1, column 3: there is a NUL"));
}

TEST(Csv, WritesWhatItReads) {
  const std::vector<Fields> rows{{"a", "b,c", "d\"e", "f\ng", "h\r", " i ", ""}, {"x"}};
  std::ostringstream out;
  for (const Fields& row : rows) write_csv_row(out, row);
  EXPECT_EQ(rows_of(out.str()), rows);
}

}  // namespace
}  // namespace sms::cli
