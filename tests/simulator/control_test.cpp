#include "simulator/judged.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace sms::tests {
namespace {

using ::testing::HasSubstr;

class SimulatorControl : public Judged {
 protected:
  Reply put_faults(const std::string& rules) { return ask(http_request("PUT", "/_sim/faults", {}, rules)); }
};

TEST_F(SimulatorControl, AnswersItsHealth) { EXPECT_EQ(get("/_sim/health").body, R"({"ok":true})"); }

TEST_F(SimulatorControl, ShowsTheLedger) {
  ask(twilio_post("To=%2B14155550123&From=%2B15550100001&Body=one+two&StatusCallback=https://hooks.example.com/k"));
  ask(telnyx_send("two"));
  ask(twilio_post("To=nobody&From=%2B15550100001&Body=bad"));
  const auto all = object_of(get("/_sim/ledger").body);
  EXPECT_EQ(all, ledger());
  EXPECT_EQ(all.at("counts").at("requests").as_int64(), 3);
  EXPECT_EQ(all.at("counts").at("messages").as_int64(), 2);
  const auto& message = all.at("messages").at(0);
  EXPECT_EQ(message.at("provider").as_string(), "twilio");
  EXPECT_EQ(message.at("to").as_string(), "+14155550123");
  EXPECT_EQ(message.at("from").as_string(), "+15550100001");
  EXPECT_EQ(message.at("body").as_string(), "one two");
  EXPECT_EQ(message.at("callback").as_string(), "https://hooks.example.com/k");
  EXPECT_EQ(message.at("request").as_int64(), 1);
  const auto& request = all.at("requests").at(2);
  EXPECT_EQ(request.at("request").as_int64(), 3);
  EXPECT_EQ(request.at("method").as_string(), "POST");
  EXPECT_EQ(request.at("path").as_string(), twilio_path());
  EXPECT_EQ(request.at("to").as_string(), "nobody");
  EXPECT_EQ(request.at("fault").as_string(), "");
}

TEST_F(SimulatorControl, FiltersTheLedger) {
  ask(twilio_send("one+two"));
  ask(telnyx_send("two"));
  ask(twilio_post("To=%2B14155550199&From=%2B15550100001&Body=two"));
  const auto count = [this](const std::string& filter) {
    const auto json = object_of(get("/_sim/ledger?" + filter).body);
    EXPECT_EQ(json.at("requests").as_array().size(), json.at("messages").as_array().size());
    return json.at("counts").at("messages").as_int64();
  };
  EXPECT_EQ(count("body=two"), 2);
  EXPECT_EQ(count("body=one%20two"), 1);
  EXPECT_EQ(count("to=%2B14155550123"), 2);
  EXPECT_EQ(count("provider=twilio&body=two"), 1);
  EXPECT_EQ(count("from=%2B15550100002"), 1);
  EXPECT_EQ(count("body=three"), 0);
}

TEST_F(SimulatorControl, SumsTheLedgerUp) {
  ask(twilio_send("a"));
  ask(twilio_send("a"));
  ask(telnyx_send("b"));
  EXPECT_EQ(get("/_sim/ledger/summary").body, R"({"a":2,"b":1})");
  EXPECT_EQ(get("/_sim/ledger/summary?by=to").body, R"({"+14155550123":3})");
  EXPECT_EQ(get("/_sim/ledger/summary?by=provider").body, R"({"telnyx":1,"twilio":2})");
  EXPECT_EQ(get("/_sim/ledger/summary?by=colour").status, 400);
}

TEST_F(SimulatorControl, ForgetsTheLedger) {
  ask(twilio_send("a"));
  EXPECT_EQ(ask(http_request("DELETE", "/_sim/ledger", {})).status, 200);
  EXPECT_EQ(get("/_sim/ledger").body, R"({"counts":{"requests":0,"messages":0},"requests":[],"messages":[]})");
  ask(twilio_send("b"));
  EXPECT_EQ(ledger().at("messages").at(0).at("request").as_int64(), 2) << "numbers go on";
}

TEST_F(SimulatorControl, SetsShowsAndRemovesFaults) {
  const std::string rules = R"([{"action":"bare_status","status":502}])";
  EXPECT_EQ(put_faults(rules).body, rules);
  EXPECT_EQ(get("/_sim/faults").body, rules);
  EXPECT_EQ(ask(twilio_send("Hi")).status, 502);
  EXPECT_EQ(ask(http_request("POST", "/_sim/faults", {}, "[]")).body, "[]");
  EXPECT_EQ(ask(twilio_send("Hi")).status, 201);
  put_faults(rules);
  EXPECT_EQ(ask(http_request("DELETE", "/_sim/faults", {})).body, "[]");
  EXPECT_EQ(ask(twilio_send("Hi")).status, 201);
}

TEST_F(SimulatorControl, SaysWhatIsWrongWithFaults) {
  const auto reply = put_faults(R"([{"action":"hang"},{"action":"nothing"}])");
  EXPECT_EQ(reply.status, 400);
  EXPECT_THAT(reply.body, HasSubstr("fault rule 2: action must be"));
}

TEST_F(SimulatorControl, IsSparedByFaultsAndByTheLedger) {
  for (const char* action : {"close_before_read", "hang", "bare_status"}) {
    EXPECT_EQ(put_faults(std::string(R"([{"action":")") + action + "\"}]").status, 200);
    EXPECT_EQ(get("/_sim/health").status, 200) << action;
  }
  EXPECT_EQ(simulator.requests(), 0U);
}

TEST_F(SimulatorControl, TakesTheProviderDownForATime) {
  EXPECT_EQ(put_faults(R"([{"action":"refuse","ms":200}])").status, 200);
  EXPECT_FALSE(Wire(simulator.port()).connected());
  usleep(300'000);
  EXPECT_EQ(get("/_sim/health").status, 200);
}

TEST_F(SimulatorControl, KnowsNothingElse) { EXPECT_EQ(get("/_sim/nothing").status, 404); }

TEST(LedgerFile, GetsALineForEachRequestAndEachMessageBeforeTheAnswer) {
  const auto path = std::filesystem::path("/tmp/sms-ledger-" + std::to_string(getpid()) + ".jsonl");
  simulator::SimulateOptions options;
  options.ledger = path;
  const auto lines = [&path] {
    std::vector<boost::json::object> read;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) read.push_back(object_of(line));
    return read;
  };
  {
    const simulator::Simulator judge(options);
    Wire(judge.port()).exchange(twilio_send("one"));
    ASSERT_EQ(lines().size(), 2U);
    EXPECT_EQ(lines()[0].at("request").as_int64(), 1);
    EXPECT_EQ(lines()[1].at("created").at("body").as_string(), "one");
  }
  {
    const simulator::Simulator judge(options);
    Wire(judge.port()).exchange(twilio_post("To=nobody"));
    EXPECT_EQ(lines().size(), 3U) << "a later run appends";
  }
  std::filesystem::remove(path);
  options.ledger = "/does/not/exist/ledger";
  EXPECT_THROW(simulator::Simulator{options}, std::runtime_error);
}

}  // namespace
}  // namespace sms::tests
