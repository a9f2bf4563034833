#include "providers/answer_json.hpp"

#include <gtest/gtest.h>

namespace sms::detail {
namespace {

TEST(AnswerJson, takes_an_object_with_white_space_around_it) { EXPECT_TRUE(parse_answer(" \n{\"a\":\"b:c\\\":\"} ")); }

TEST(AnswerJson, takes_no_other_json) {
  for (const auto* const text :
       {"", "null", "[]", "\"x\"", "12", "{", "{}x", "{\"a\":1,}", "{'a':1}", "\xEF\xBB\xBF{}"}) {
    EXPECT_FALSE(parse_answer(text)) << text;
  }
}

TEST(AnswerJson, refuses_a_member_named_twice_at_any_depth) {
  EXPECT_TRUE(parse_answer(R"({"a":{"a":1},"b":[{"a":1},{"a":2}]})"));
  EXPECT_FALSE(parse_answer(R"({"a":1,"a":1})"));
  EXPECT_FALSE(parse_answer(R"({"b":[{"a":1,"\u0061":2}]})"));
}

TEST(AnswerJson, refuses_invalid_utf8) {
  EXPECT_FALSE(parse_answer("{\"a\":\"\xFF\"}"));
  EXPECT_FALSE(parse_answer("{\"a\":\"\xED\xA0\x80\"}"));
  EXPECT_FALSE(parse_answer("{\"a\":\"\xC0\xAF\"}"));
}

TEST(AnswerJson, refuses_what_is_nested_too_deeply) {
  const auto nested = [](std::size_t depth) {
    return "{\"a\":" + std::string(depth, '[') + std::string(depth, ']') + "}";
  };
  EXPECT_TRUE(parse_answer(nested(20)));
  EXPECT_FALSE(parse_answer(nested(40)));
  EXPECT_FALSE(parse_answer(nested(1'000'000)));
}

TEST(AnswerJson, members_of_another_type_are_absent) {
  const auto object = parse_answer(R"({"s":"x","n":1,"o":{},"empty":[],"array":[{}],"mixed":[1,{}]})");
  ASSERT_TRUE(object);
  EXPECT_EQ(string_member(*object, "s"), "x");
  EXPECT_FALSE(string_member(*object, "n"));
  EXPECT_FALSE(string_member(*object, "missing"));
  EXPECT_NE(object_member(*object, "o"), nullptr);
  EXPECT_EQ(object_member(*object, "s"), nullptr);
  EXPECT_NE(first_object(*object, "array"), nullptr);
  EXPECT_EQ(first_object(*object, "empty"), nullptr);
  EXPECT_EQ(first_object(*object, "mixed"), nullptr);
  EXPECT_EQ(first_object(*object, "o"), nullptr);
}

}  // namespace
}  // namespace sms::detail
