#include "core/json_text.hpp"

#include "core/json_reading.hpp"
#include "core/sha256.hpp"

#include <gtest/gtest.h>

namespace {

using namespace sms::detail;

std::string number(double value) {
  std::string out;
  append_json_number(out, value);
  return out;
}

TEST(JsonText, EscapesOnlyWhatJsonStringifyEscapes) {
  EXPECT_EQ(json_string("a\"b\\c/\b\f\n\r\t"), R"("a\"b\\c/\b\f\n\r\t")");
  EXPECT_EQ(json_string(std::string_view("\0\x1f\x7f", 3)), "\"\\u0000\\u001f\x7f\"");
  EXPECT_EQ(json_string("\u2028é😀"), "\"\u2028é😀\"");
}

TEST(JsonText, PrintsNumbersAsEcmaScriptDoes) {
  EXPECT_EQ(number(-0.0), "0");
  EXPECT_EQ(number(1.5), "1.5");
  EXPECT_EQ(number(-1.25), "-1.25");
  EXPECT_EQ(number(100), "100");
  EXPECT_EQ(number(0.000001), "0.000001");
  EXPECT_EQ(number(1e-7), "1e-7");
  EXPECT_EQ(number(-1.23e-18), "-1.23e-18");
  EXPECT_EQ(number(1e20), "100000000000000000000");
  EXPECT_EQ(number(1e21), "1e+21");
  EXPECT_EQ(number(123456789012345680000.0), "123456789012345680000");
  EXPECT_EQ(number(5e-324), "5e-324");
  EXPECT_EQ(number(1.7976931348623157e308), "1.7976931348623157e+308");
  EXPECT_EQ(number(0.1 + 0.2), "0.30000000000000004");
  EXPECT_EQ(number(1.0 / 0.0), "null");
}

TEST(JsonText, SeparatesNestedFieldsAndItems) {
  std::string out;
  JsonWriter json(out);
  json.begin_object().key("a").begin_array().number(std::int64_t{1}).begin_object().end_object().null().end_array();
  json.key("b").boolean(true).key("c").raw("{}").end_object();
  EXPECT_EQ(out, R"({"a":[1,{},null],"b":true,"c":{}})");
}

TEST(JsonReading, ReadsALoneSurrogateAsTheReplacementCharacter) {
  const auto value = parse_json(R"({"m":"cut \ud83d","whole":"\ud83d\ude00","slash":"\\ud83d"})");
  ASSERT_TRUE(value);
  EXPECT_EQ(as_string(field(&*value, "m")), "cut \uFFFD");
  EXPECT_EQ(as_string(field(&*value, "whole")), "😀");
  EXPECT_EQ(as_string(field(&*value, "slash")), "\\ud83d");
}

TEST(JsonReading, TakesAnIntegerOnlyWhereOneIsNamed) {
  const auto value = parse_json(R"([7, 1e3, 1.5, 1e300, "7", true])");
  ASSERT_TRUE(value);
  const auto& list = value->get_array();
  EXPECT_EQ(as_integer(&list[0]), 7);
  EXPECT_EQ(as_integer(&list[1]), 1000);
  for (std::size_t i = 2; i < list.size(); ++i) EXPECT_EQ(as_integer(&list[i]), std::nullopt);
  EXPECT_EQ(as_integer(nullptr), std::nullopt);
}

TEST(JsonReading, RoundsNumbersToTheNearestDouble) {
  const auto value =
      parse_json("[0.12345678901234568,123456789012345680000,999999999999999868928,5e-324,-1.7976931348623157e308]");
  ASSERT_TRUE(value);
  std::string out;
  append_json(out, *value);
  EXPECT_EQ(out, "[0.12345678901234568,123456789012345680000,999999999999999900000,5e-324,-1.7976931348623157e+308]");
}

TEST(JsonReading, RefusesWhatIsNotOneWholeValue) {
  for (const char* text : {"", " ", "{", "[1,]", "{} {}", "1 2", "nul", "\"\xFF\"", "{\"a\":1"})
    EXPECT_FALSE(parse_json(text)) << text;
  for (const char* text : {"1", " 1 ", "\"a\"", "null", "-0.5"}) EXPECT_TRUE(parse_json(text)) << text;
}

TEST(Sha256, MatchesThePublishedValue) {
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

}  // namespace
