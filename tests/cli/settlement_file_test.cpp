#include "settlement_file.hpp"

#include "usage_error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sms::cli {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using Action = Settlement::Action;

std::string fault_of(const std::string& csv) {
  try {
    read_settlements(csv, "");
  } catch (const UsageError& error) {
    return error.what();
  }
  return "none";
}

TEST(SettlementFile, ReadsColumnsInAnyOrderAndIgnoresOthers) {
  const auto file = read_settlements(
      "state,action,key,provider_id,token,provider,why,note\n"
      "unknown,accepted,order:1,SM1,t1,twilio,in the portal,x\n"
      "unknown,release,order:2,,t2,twilio,,x\n"
      "unknown,,order:3,,t3,,,x\n",
      "for all");
  ASSERT_EQ(file.settlements.size(), 3U);
  EXPECT_THAT(file.lines, ElementsAre(2, 3, 4));
  const Settlement& first = file.settlements[0];
  EXPECT_EQ(first.key + first.token + first.provider + first.provider_id, "order:1t1twilioSM1");
  EXPECT_EQ(first.action, Action::accepted);
  EXPECT_EQ(first.why, "in the portal");
  EXPECT_EQ(file.settlements[1].action, Action::release);
  EXPECT_EQ(file.settlements[1].why, "for all");
  EXPECT_EQ(file.settlements[2].action, Action::none);
}

TEST(SettlementFile, NeedsALineThatNamesItsColumns) {
  EXPECT_THAT(fault_of(""), HasSubstr("the file is empty"));
  EXPECT_THAT(fault_of("order:1,t1,release\n"), AllOf(HasSubstr("column key: is missing"), HasSubstr("column action")));
  EXPECT_THAT(fault_of("key;token;action\n"), HasSubstr("separated by commas"));
  EXPECT_THAT(fault_of("key,token,action,key\n"), HasSubstr("column key: stands twice"));
}

TEST(SettlementFile, NamesEveryFaultAtOnce) {
  const std::string faults = fault_of(
      "key,token,action,provider,provider_id\n"
      "order:1,t1,acepted,twilio,SM1\n"
      ",t2,release,,\n"
      "order:3,,release,,\n"
      "order:4,t4,accepted,,\n"
      "order:5,t5,release,,SM5\n"
      "order:6,t6,release,,,\n"
      "order:7,t7,release,,\n"
      "order:7,t7,release,,\n"
      "order:7,,,,\n");
  EXPECT_THAT(faults, AllOf(HasSubstr("line 2, column action:"), HasSubstr("line 3, column key:"),
                            HasSubstr("line 4, column token:"), HasSubstr("line 5, column provider:"),
                            HasSubstr("line 5, column provider_id:"), HasSubstr("line 6, column provider_id:"),
                            HasSubstr("line 7: has 6 fields, the first line has 5")));
  EXPECT_THAT(faults, AllOf(HasSubstr("line 9, column key: stands in line 8, too"), HasSubstr("nothing was changed"),
                            Not(HasSubstr("line 10"))));
}

TEST(SettlementFile, ShowsNoMoreFaultsThanAPersonReads) {
  std::string csv = "key,token,action\n";
  for (int i = 0; i < 50; ++i) csv += "k,t,wrong\n";
  EXPECT_THAT(fault_of(csv), AllOf(HasSubstr("line 21,"), Not(HasSubstr("line 22,")), HasSubstr("and 30 more")));
}

}  // namespace
}  // namespace sms::cli
