#include "core/validation_rules.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace {

using namespace sms;

AdapterInfo info() {
  AdapterInfo out;
  out.name = "acme";
  out.options.options = {
      {.name = "smart", .wire = "Smart", .type = OptionSpec::Type::boolean},
      {.name = "tries", .wire = "Tries", .type = OptionSpec::Type::integer, .min = 1},
      {.name = "note", .wire = "Note", .max_length = 4},
      {.name = "mode", .wire = "Mode", .type = OptionSpec::Type::enumeration, .words = {"fast", "safe"}},
      {.name = "link",
       .wire = "Link",
       .check = [](std::string_view value) -> std::string_view { return value == "ok" ? "" : "must be ok"; }},
      {.name = "pool", .wire = "sms.pool"}};
  out.options.reserved = {"To"};
  return out;
}

detail::ParsedOptions parse(const OptionBag& bag) { return detail::parse_options(info(), {{"acme", bag}}); }

std::vector<IssueCode> codes(const OptionBag& bag) {
  std::vector<IssueCode> out;
  for (const auto& issue : parse(bag).issues) {
    EXPECT_EQ(issue.field, "providerOptions");
    EXPECT_EQ(issue.provider, "acme");
    out.push_back(issue.code);
  }
  return out;
}
using Codes = std::vector<IssueCode>;

TEST(Options, GoOutInTheAdaptersOrderThenExtraInTheCallers) {
  const auto parsed = parse(OptionBag{}.set("mode", "safe").set_extra("Z", 1).set("smart", true).set_extra("A", "x"));
  EXPECT_TRUE(parsed.issues.empty());
  EXPECT_EQ(
      parsed.wire,
      (WireOptions{{"Smart", true}, {"Mode", std::string("safe")}, {"Z", std::int64_t{1}}, {"A", std::string("x")}}));
}

TEST(Options, TakeTheLastValueOfAName) {
  const auto parsed = parse(OptionBag{}.set("tries", 2).set("tries", 3));
  EXPECT_EQ(parsed.wire, (WireOptions{{"Tries", std::int64_t{3}}}));
}

TEST(Options, TakeAWholeNumberHoweverItIsWritten) {
  EXPECT_EQ(parse(OptionBag{}.set("tries", OptionValue(1000.0))).wire, (WireOptions{{"Tries", std::int64_t{1000}}}));
  EXPECT_EQ(codes(OptionBag{}.set("tries", OptionValue(1.5))), Codes{IssueCode::invalid_field});
  EXPECT_EQ(codes(OptionBag{}.set("tries", 0)), Codes{IssueCode::invalid_field});
  EXPECT_EQ(codes(OptionBag{}.set("tries", OptionValue(std::nan("")))), Codes{IssueCode::invalid_field});
  EXPECT_EQ(codes(OptionBag{}.set("tries", OptionValue(1e300))), Codes{IssueCode::invalid_field});
}

TEST(Options, RefuseWrongTypesAndValues) {
  EXPECT_EQ(codes(OptionBag{}.set("smart", "true")), Codes{IssueCode::invalid_field});
  EXPECT_EQ(codes(OptionBag{}.set("note", "")), Codes{IssueCode::invalid_field});
  EXPECT_EQ(codes(OptionBag{}.set("note", "12345")), Codes{IssueCode::invalid_field});
  EXPECT_EQ(codes(OptionBag{}.set("note", "a\xFF")), Codes{IssueCode::invalid_field});
  EXPECT_EQ(codes(OptionBag{}.set("mode", "slow")), Codes{IssueCode::invalid_field});
  EXPECT_EQ(codes(OptionBag{}.set("link", "no")), Codes{IssueCode::invalid_field});
  EXPECT_TRUE(codes(OptionBag{}.set("note", "😀😀").set("link", "ok")).empty());
}

TEST(Options, RefuseExtraThatNamesAParameterOfTheAdapterInAnyLetterCase) {
  EXPECT_EQ(codes(OptionBag{}.set_extra("tO", "x")), Codes{IssueCode::unsupported_field});
  EXPECT_EQ(codes(OptionBag{}.set_extra("SMART", true)), Codes{IssueCode::unsupported_field});
  EXPECT_EQ(codes(OptionBag{}.set_extra("SMS.Pool", "x")), Codes{IssueCode::unsupported_field});
  EXPECT_EQ(codes(OptionBag{}.set_extra("sms.sms.to", "x")), Codes{IssueCode::unsupported_field});
  EXPECT_TRUE(codes(OptionBag{}.set_extra("sms.other", "x").set_extra("other.to", "x")).empty());
}

TEST(Options, RefuseExtraThatCannotBeSent) {
  EXPECT_EQ(codes(OptionBag{}.set_extra("", 1)), Codes{IssueCode::invalid_field});
  EXPECT_EQ(codes(OptionBag{}.set_extra("sms.", 1)), Codes{IssueCode::invalid_field});
  EXPECT_EQ(codes(OptionBag{}.set_extra("x\xFF", 1)), Codes{IssueCode::invalid_field});
  EXPECT_EQ(codes(OptionBag{}.set_extra("x", OptionValue(INFINITY))), Codes{IssueCode::invalid_field});
}

TEST(Options, ReportUnknownOnesFirst) {
  EXPECT_EQ(codes(OptionBag{}.set("tries", -1).set("zzz", 1).set_extra("To", 1)),
            (Codes{IssueCode::unsupported_field, IssueCode::invalid_field, IssueCode::unsupported_field}));
}

TEST(Options, OfAnAbsentAdapterAreIgnored) {
  EXPECT_TRUE(detail::parse_options(info(), {{"other", OptionBag{}.set("x", 1)}}).issues.empty());
}

TEST(Options, AreNamedInIssuesButTheirValuesAreNot) {
  const auto parsed = parse(OptionBag{}.set("mode", "secret"));
  ASSERT_EQ(parsed.issues.size(), 1U);
  EXPECT_EQ(parsed.issues[0].message, "The option mode must be one of the words that the option knows.");
}

}  // namespace
