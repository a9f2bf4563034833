#include "simulator/judged.hpp"

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace sms::tests {
namespace {

using ::testing::HasSubstr;

class FaultRules : public Judged {
 protected:
  /// A line of `x` for a request that met the fault and `.` for one that did not.
  static std::string pattern(const simulator::Simulator& judge, int requests) {
    std::string line;
    Wire wire(judge.port());
    for (int i = 0; i < requests; ++i) line += wire.exchange(twilio_send("Hi")).status == 201 ? '.' : 'x';
    return line;
  }
  std::string pattern(const std::string& rules, int requests) {
    simulator.set_faults(rules);
    return pattern(simulator, requests);
  }
  std::string complaint(const std::string& rules) {
    try {
      simulator.set_faults(rules);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  }
};

TEST_F(FaultRules, StrikeEveryRequestUnlessTheySayOtherwise) {
  EXPECT_EQ(pattern("[]", 3), "...");
  EXPECT_EQ(pattern(R"([{"action":"reject"}])", 3), "xxx");
}

TEST_F(FaultRules, CountTheRequestsThatTheyConcern) {
  EXPECT_EQ(pattern(R"([{"action":"reject","times":2}])", 4), "xx..");
  EXPECT_EQ(pattern(R"([{"action":"reject","match":{"nth":3}}])", 5), "..x..");
  EXPECT_EQ(pattern(R"([{"action":"reject","match":{"every":2}}])", 6), ".x.x.x");
  EXPECT_EQ(pattern(R"([{"action":"reject","match":{"every":2},"times":1}])", 6), ".x....");
  EXPECT_EQ(pattern(R"([{"action":"reject","match":{"reused":true}}])", 3), ".xx");
  EXPECT_EQ(pattern(R"([{"action":"reject","match":{"reused":false}}])", 3), "x..");
}

TEST_F(FaultRules, FirstThatStrikesWins) {
  simulator.set_faults(R"([{"action":"bare_status","status":502,"match":{"nth":2}},
                           {"action":"bare_status","status":503}])");
  Wire wire(simulator.port());
  EXPECT_EQ(wire.exchange(twilio_send("1")).status, 503);
  EXPECT_EQ(wire.exchange(twilio_send("2")).status, 502);
  EXPECT_EQ(wire.exchange(twilio_send("3")).status, 503);
}

TEST_F(FaultRules, ConcernAProviderARecipientOrABody) {
  simulator.set_faults(R"([{"action":"bare_status","status":500,"match":{"provider":"telnyx"}},
                           {"action":"bare_status","status":501,"match":{"to":"+14155550199"}},
                           {"action":"bare_status","status":502,"match":{"body":"order:7"}}])");
  EXPECT_EQ(ask(telnyx_send("Hi")).status, 500);
  EXPECT_EQ(ask(twilio_post("To=%2B14155550199&From=%2B15550100001&Body=Hi")).status, 501);
  EXPECT_EQ(ask(twilio_send("It+is+order:7+.")).status, 502);
  EXPECT_EQ(ask(twilio_send("Hi")).status, 201);
}

TEST_F(FaultRules, GiveTheSameFaultsForTheSameSeed) {
  const std::string rules = R"([{"action":"reject","match":{"probability":0.5}}])";
  const auto first = pattern(rules, 64);
  EXPECT_EQ(pattern(rules, 64), first) << "setting them begins anew";
  EXPECT_GT(std::ranges::count(first, 'x'), 16);
  EXPECT_GT(std::ranges::count(first, '.'), 16);
  simulator::SimulateOptions options;
  simulator::Simulator same(options);
  same.set_faults(rules);
  EXPECT_EQ(pattern(same, 64), first);
  options.seed = 2;
  simulator::Simulator other(options);
  other.set_faults(rules);
  EXPECT_NE(pattern(other, 64), first);
}

TEST_F(FaultRules, SayWhichFieldOfWhichRuleIsWrong) {
  EXPECT_EQ(complaint("{"), "fault rules must be a JSON array");
  EXPECT_EQ(complaint("[1]"), "fault rule 1 must be an object");
  EXPECT_EQ(complaint(R"([{"action":"hang"},{}])"), "fault rule 2: action is missing");
  EXPECT_THAT(complaint(R"([{"action":"explode"}])"), HasSubstr("not \"explode\""));
  EXPECT_EQ(complaint(R"([{"action":"hang","match":{"too":"x"}}])"), "fault rule 1.match: too is not known");
  EXPECT_EQ(complaint(R"([{"action":"hang","tmies":1}])"), "fault rule 1: tmies is not known");
  EXPECT_THAT(complaint(R"([{"action":"delay","ms":-1}])"), HasSubstr("ms must be a whole number from 0"));
  EXPECT_THAT(complaint(R"([{"action":"delay","ms":1.5}])"), HasSubstr("ms must be a whole number"));
  EXPECT_THAT(complaint(R"([{"action":"bare_status","status":99}])"), HasSubstr("status must be"));
  EXPECT_THAT(complaint(R"([{"action":"reject","code":"abc"}])"), HasSubstr("code must be"));
  EXPECT_THAT(complaint(R"([{"action":"hang","how":"slowly"}])"), HasSubstr("how must be"));
  EXPECT_THAT(complaint(R"([{"action":"hang","match":{"probability":2}}])"), HasSubstr("from 0 to 1"));
  EXPECT_THAT(complaint(R"([{"action":"hang","match":{"reused":"yes"}}])"), HasSubstr("true or false"));
  EXPECT_THAT(complaint(R"([{"action":"refuse","times":1}])"), HasSubstr("takes ms only"));
  EXPECT_THAT(complaint(R"([{"action":"close_before_read","match":{"to":"+1"}}])"), HasSubstr("before the request"));
  EXPECT_THAT(complaint(R"([{"action":"redirect","location":"a\r\nb"}])"), HasSubstr("one line"));
}

TEST_F(FaultRules, WrongOnesLeaveTheOldOnesInForce) {
  simulator.set_faults(R"([{"action":"reject"}])");
  EXPECT_NE(complaint(R"([{"action":"explode"}])"), "");
  EXPECT_EQ(ask(twilio_send("Hi")).status, 400);
}

class ScenarioFile : public ::testing::Test {
 protected:
  ScenarioFile() : path_("/tmp/sms-scenario-" + std::to_string(getpid()) + ".json") {}
  ~ScenarioFile() override { std::filesystem::remove(path_); }
  simulator::SimulateOptions scenario(const std::string& rules) const {
    std::ofstream(path_) << rules;
    simulator::SimulateOptions options;
    options.scenario = path_;
    return options;
  }
  std::string path_;
};

TEST_F(ScenarioFile, IsInForceFromTheFirstRequest) {
  const simulator::Simulator judge(scenario(R"([{"action":"bare_status","status":502,"times":1}])"));
  Wire wire(judge.port());
  EXPECT_EQ(wire.exchange(twilio_send("Hi")).status, 502);
  EXPECT_EQ(wire.exchange(twilio_send("Hi")).status, 201);
}

TEST_F(ScenarioFile, CanBeginWithAProviderThatIsDown) {
  const simulator::Simulator judge(scenario(R"([{"action":"refuse","ms":60000}])"));
  EXPECT_FALSE(Wire(judge.port()).connected());
}

TEST_F(ScenarioFile, MustBeRight) {
  EXPECT_THROW(simulator::Simulator(scenario("[{}]")), std::runtime_error);
  simulator::SimulateOptions absent;
  absent.scenario = "/does/not/exist";
  EXPECT_THROW(simulator::Simulator{absent}, std::runtime_error);
}

}  // namespace
}  // namespace sms::tests
