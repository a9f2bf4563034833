#include "conformance/compare.hpp"
#include "conformance/deviations.hpp"
#include "conformance/vector_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace {

namespace json = boost::json;
using namespace sms::conformance;

bool same(std::string_view pattern, std::string_view value) {
  return matches(json::parse(pattern), json::parse(value), OtherFields::refused);
}

TEST(Compare, IgnoresTheOrderOfFieldsAndHowANumberIsWritten) {
  EXPECT_TRUE(same(R"({"a":1,"b":{"$num":"2e3"}})", R"({"b":2000,"a":1.0})"));
  EXPECT_FALSE(same("[1,2]", "[2,1]"));
}

TEST(Compare, RefusesFieldsThatAreMissingOrTooMany) {
  EXPECT_FALSE(same(R"({"a":1})", R"({"a":1,"b":2})"));
  EXPECT_FALSE(same(R"({"a":1,"b":2})", R"({"a":1})"));
  EXPECT_TRUE(matches(json::parse(R"({"a":1})"), json::parse(R"({"a":1,"b":2})"), OtherFields::allowed));
}

TEST(Compare, KnowsItsOperators) {
  EXPECT_TRUE(same(R"({"a":"<any>"})", R"({"a":"words"})"));
  EXPECT_FALSE(same(R"({"a":"<any>"})", R"({"a":null})"));
  EXPECT_TRUE(same(R"({"$matches":"^a+$"})", R"("aaa")"));
  EXPECT_FALSE(same(R"({"$matches":"^a+$"})", R"("aab")"));
  EXPECT_TRUE(same(R"({"$oneOf":[1,"x"]})", R"("x")"));
  EXPECT_TRUE(same(R"({"$below":3})", "2"));
  EXPECT_FALSE(same(R"({"$above":3})", "3"));
  EXPECT_TRUE(same(R"({"$contains":2})", "[1,2]"));
  EXPECT_FALSE(same(R"({"$contains":3})", "[1,2]"));
  EXPECT_TRUE(same(R"({"a":{"$absent":true}})", "{}"));
  EXPECT_FALSE(same(R"({"a":{"$absent":true}})", R"({"a":null})"));
}

class Files : public testing::Test {
 protected:
  std::filesystem::path write(const std::string& text) {
    const auto path = std::filesystem::path(testing::TempDir()) /
                      (std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) + ".json");
    std::ofstream(path) << text;
    return path;
  }
};

TEST_F(Files, OfVectorsKeepNumbersAndLoneSurrogatesThatJsonParsersLose) {
  const auto file = read_vectors(write(
      R"json([{"name":"(shared)","input":{
  "key" : "value"}},
          {"name":"n","input":{"big":123456789012345680000,"half":"\ud83d x","pair":"\ud83d\ude00","text":"\\ud83d 1.5"}}])json"));
  ASSERT_EQ(file.cases.size(), 1u);
  const auto& input = file.cases[0].input;
  EXPECT_EQ(number_in(input.at("big")), 123456789012345680000.0);
  EXPECT_TRUE(has_lone_surrogate(input.at("half")));
  EXPECT_EQ(input.at("pair"), "😀");
  EXPECT_EQ(input.at("text"), "\\ud83d 1.5");
  EXPECT_EQ(file.shared.at("key"), "value");
}

TEST_F(Files, ThatAreNoVectorsAreRefused) {
  EXPECT_THROW(read_vectors(write("{}")), std::runtime_error);
  EXPECT_THROW(read_vectors(write("[1]")), std::runtime_error);
  EXPECT_THROW(read_vectors("/nonexistent"), std::runtime_error);
}

TEST_F(Files, OfDeviationsAcceptOnlyTheAnswerThatTheyExpect) {
  Deviations deviations(write(R"([{"kind":"k","case":"one","expect":2},
                                  {"kind":"k","rule":{"input":{"status":408}},"change":{"a":2}},
                                  {"kind":"other","case":"two","expect":1}])"),
                        "k");
  using Verdict = Deviations::Verdict;
  const VectorCase one{"one", {}, 1};
  EXPECT_EQ(deviations.judge(one, 1, 2), Verdict::expected);
  EXPECT_EQ(deviations.judge(one, 1, 3), Verdict::wrong);
  EXPECT_EQ(deviations.judge({"two", {}, 1}, 1, 1), Verdict::none);

  const VectorCase ruled{"x", {{"status", 408}, {"body", ""}}, nullptr};
  const auto recorded = json::parse(R"({"a":1,"b":1})");
  EXPECT_EQ(deviations.judge(ruled, recorded, json::parse(R"({"a":2,"b":1})")), Verdict::expected);
  EXPECT_EQ(deviations.judge(ruled, recorded, json::parse(R"({"a":2,"b":2})")), Verdict::wrong);
}

}  // namespace
