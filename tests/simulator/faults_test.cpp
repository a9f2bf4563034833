#include "simulator/judged.hpp"

#include <chrono>
#include <memory>
#include <thread>

namespace sms::tests {
namespace {

using namespace std::chrono_literals;
using ::testing::IsEmpty;
using Clock = std::chrono::steady_clock;

/// What a fault does on the wire, and what the ledger says afterwards.
class SimulatedFault : public Judged {
 protected:
  void strike(const std::string& rule) { simulator.set_faults("[" + rule + "]"); }

  /// Requests, messages, and the fault of the last request.
  void expect_ledger(std::size_t requests, std::size_t messages, const std::string& fault) {
    EXPECT_EQ(simulator.requests(), requests);
    EXPECT_EQ(simulator.messages(), messages);
    const auto json = ledger();
    const auto& entries = json.at("requests").as_array();
    ASSERT_EQ(entries.size(), requests);
    const auto last = requests == 0 ? std::string() : std::string(entries.at(requests - 1).at("fault").as_string());
    EXPECT_EQ(last, fault);
  }
};

TEST_F(SimulatedFault, RefuseLetsNothingListenForItsTime) {
  strike(R"({"action":"refuse","ms":300})");
  EXPECT_FALSE(Wire(simulator.port()).connected());
  EXPECT_FALSE(Wire(simulator.port()).connected());
  std::this_thread::sleep_for(400ms);
  EXPECT_EQ(ask(twilio_send("Hi")).status, 201);
  expect_ledger(1, 1, "");
}

TEST_F(SimulatedFault, RefuseEndsConnectionsThatWait) {
  Wire wire(simulator.port());
  EXPECT_EQ(wire.exchange(twilio_send("Hi")).status, 201);
  strike(R"({"action":"refuse","ms":300})");
  EXPECT_EQ(wire.read_end(), WireEnd::fin);
}

TEST_F(SimulatedFault, RefuseEndsWhenItsRuleIsReplaced) {
  strike(R"({"action":"refuse","ms":60000})");
  EXPECT_FALSE(Wire(simulator.port()).connected());
  strike("");
  EXPECT_EQ(ask(twilio_send("Hi")).status, 201);
  strike(R"({"action":"refuse","ms":0})");
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(ask(twilio_send("Hi")).status, 201);
}

TEST_F(SimulatedFault, CloseBeforeReadLeavesNoTraceOfTheRequest) {
  for (const char* how : {"fin", "rst"}) {
    strike(std::string(R"({"action":"close_before_read","how":")") + how + "\"}");
    Wire wire(simulator.port());
    const auto reply = wire.exchange(twilio_send("Hi"));
    EXPECT_EQ(reply.status, 0);
    EXPECT_NE(reply.end, WireEnd::open);
    expect_ledger(0, 0, "");
  }
}

TEST_F(SimulatedFault, CloseBeforeReadCanSpareTheFirstRequestOfAConnection) {
  strike(R"({"action":"close_before_read","match":{"reused":true}})");
  Wire wire(simulator.port());
  EXPECT_EQ(wire.exchange(twilio_send("1")).status, 201);
  EXPECT_EQ(wire.exchange(twilio_send("2")).status, 0);
  expect_ledger(1, 1, "");
}

TEST_F(SimulatedFault, DelayMakesTheMessageAfterItsTime) {
  strike(R"({"action":"delay","ms":300})");
  Wire wire(simulator.port());
  const auto begun = Clock::now();
  wire.send(twilio_send("Hi"));
  EXPECT_EQ(wire.read(100ms).status, 0);
  expect_ledger(1, 0, "delay");
  EXPECT_EQ(wire.read().status, 201);
  EXPECT_GE(Clock::now() - begun, 300ms);
  expect_ledger(1, 1, "delay");
}

TEST_F(SimulatedFault, CreateLateMakesTheMessageAtOnceAndAnswersAfterItsTime) {
  strike(R"({"action":"create_late","ms":300})");
  Wire wire(simulator.port());
  const auto begun = Clock::now();
  wire.send(twilio_send("Hi"));
  EXPECT_EQ(wire.read(100ms).status, 0);
  expect_ledger(1, 1, "create_late");
  EXPECT_EQ(wire.read().status, 201);
  EXPECT_GE(Clock::now() - begun, 300ms);
  expect_ledger(1, 1, "create_late");
}

TEST_F(SimulatedFault, HangNeverAnswersAndKeepsTheConnection) {
  strike(R"({"action":"hang"})");
  Wire wire(simulator.port());
  wire.send(twilio_send("Hi"));
  const auto reply = wire.read(300ms);
  EXPECT_EQ(reply.status, 0);
  EXPECT_EQ(reply.end, WireEnd::open);
  expect_ledger(1, 0, "hang");
}

TEST_F(SimulatedFault, CreateThenHangMakesTheMessage) {
  strike(R"({"action":"create_then_hang"})");
  Wire wire(simulator.port());
  wire.send(twilio_send("Hi"));
  const auto reply = wire.read(300ms);
  EXPECT_EQ(reply.status, 0);
  EXPECT_EQ(reply.end, WireEnd::open);
  expect_ledger(1, 1, "create_then_hang");
}

TEST_F(SimulatedFault, ClosesAfterTheRequestByFinOrByReset) {
  std::size_t requests = 0;
  std::size_t messages = 0;
  for (const std::string& action : {std::string("close_after_read"), std::string("create_then_close")}) {
    for (const auto& [how, end] : {std::pair("fin", WireEnd::fin), std::pair("rst", WireEnd::rst)}) {
      strike(R"({"action":")" + action + R"(","how":")" + how + "\"}");
      const auto reply = ask(twilio_send("Hi"));
      EXPECT_EQ(reply.status, 0);
      EXPECT_EQ(reply.end, end) << action << " " << how;
      if (action == "create_then_close") ++messages;
      expect_ledger(++requests, messages, action);
    }
  }
}

TEST_F(SimulatedFault, CreateThenStatusSpeaksAsTheProviderWhenItIsItsOwnFailure) {
  strike(R"({"action":"create_then_status"})");
  const auto twilio = ask(twilio_send("Hi"));
  EXPECT_EQ(twilio.status, 503);
  EXPECT_EQ(object_of(twilio.body).at("code").as_int64(), 20500);
  strike(R"({"action":"create_then_status","status":500})");
  const auto telnyx = ask(telnyx_send("Hi"));
  EXPECT_EQ(telnyx.status, 500);
  EXPECT_EQ(object_of(telnyx.body).at("errors").at(0).at("code").as_string(), "10007");
  strike(R"({"action":"create_then_status","status":408})");
  const auto gateway = ask(twilio_send("Hi"));
  EXPECT_EQ(gateway.status, 408);
  EXPECT_FALSE(object_of(gateway.body).contains("code"));
  expect_ledger(3, 3, "create_then_status");
}

TEST_F(SimulatedFault, CreateThenGarbageAnswersSuccessThatIsNoJson) {
  strike(R"({"action":"create_then_garbage"})");
  const auto reply = ask(twilio_send("Hi"));
  EXPECT_EQ(reply.status, 201);
  EXPECT_TRUE(reply.whole);
  boost::system::error_code error;
  boost::json::parse(reply.body, error);
  EXPECT_TRUE(error);
  expect_ledger(1, 1, "create_then_garbage");
}

TEST_F(SimulatedFault, HalfResponseBreaksOffInTheBody) {
  strike(R"({"action":"half_response"})");
  const auto reply = ask(twilio_send("Hi"));
  EXPECT_EQ(reply.status, 201);
  EXPECT_FALSE(reply.whole);
  EXPECT_GT(reply.body.size(), 100U);
  EXPECT_EQ(reply.end, WireEnd::fin);
  expect_ledger(1, 1, "half_response");
}

TEST_F(SimulatedFault, RejectAnswersTheDocumentedErrorOfTheProvider) {
  strike(R"({"action":"reject"})");
  EXPECT_EQ(object_of(ask(twilio_send("Hi")).body).at("code").as_int64(), 21610);
  EXPECT_EQ(object_of(ask(telnyx_send("Hi")).body).at("errors").at(0).at("code").as_string(), "40300");
  strike(R"({"action":"reject","code":"21408"})");
  const auto reply = ask(twilio_send("Hi"));
  EXPECT_EQ(reply.status, 400);
  EXPECT_EQ(object_of(reply.body).at("code").as_int64(), 21408);
  expect_ledger(3, 0, "reject");
}

TEST_F(SimulatedFault, BareStatusHasNoBody) {
  for (const int status : {403, 408, 429, 502}) {
    strike(R"({"action":"bare_status","status":)" + std::to_string(status) + "}");
    const auto reply = ask(twilio_send("Hi"));
    EXPECT_EQ(reply.status, status);
    EXPECT_THAT(reply.body, IsEmpty());
    EXPECT_FALSE(reply.headers.contains("twilio-request-id"));
  }
  expect_ledger(4, 0, "bare_status");
}

TEST_F(SimulatedFault, RateLimitIsTheDocumentedOneWithRetryAfter) {
  strike(R"({"action":"rate_limit","retryAfter":7})");
  const auto twilio = ask(twilio_send("Hi"));
  EXPECT_EQ(twilio.status, 429);
  EXPECT_EQ(twilio.headers.at("retry-after"), "7");
  EXPECT_EQ(object_of(twilio.body).at("code").as_int64(), 20429);
  const auto telnyx = ask(telnyx_send("Hi"));
  EXPECT_EQ(telnyx.status, 429);
  EXPECT_EQ(object_of(telnyx.body).at("errors").at(0).at("code").as_string(), "10011");
  expect_ledger(2, 0, "rate_limit");
}

TEST_F(SimulatedFault, SlowDripAnswersByteForByte) {
  strike(R"({"action":"slow_drip","ms":1})");
  Wire wire(simulator.port());
  const auto begun = Clock::now();
  const auto reply = wire.exchange(twilio_send("Hi"));
  EXPECT_EQ(reply.status, 201);
  EXPECT_TRUE(reply.whole);
  EXPECT_GE(Clock::now() - begun, 500ms);
  expect_ledger(1, 1, "slow_drip");
  strike("");
  EXPECT_EQ(wire.exchange(twilio_send("Hi")).status, 201) << "the connection goes on";
}

TEST_F(SimulatedFault, KeepaliveThenCloseAnswersFirstAndClosesTheIdleConnection) {
  strike(R"({"action":"keepalive_then_close","ms":200})");
  Wire wire(simulator.port());
  const auto reply = wire.exchange(twilio_send("Hi"));
  EXPECT_EQ(reply.status, 201);
  EXPECT_TRUE(reply.whole);
  EXPECT_FALSE(reply.headers.contains("connection"));
  EXPECT_EQ(wire.read_end(50ms), WireEnd::open);
  EXPECT_EQ(wire.read_end(), WireEnd::fin);
  expect_ledger(1, 1, "keepalive_then_close");
}

TEST_F(SimulatedFault, KeepaliveThenCloseDropsARequestThatComesMeanwhile) {
  strike(R"({"action":"keepalive_then_close","ms":200})");
  Wire wire(simulator.port());
  EXPECT_EQ(wire.exchange(twilio_send("1")).status, 201);
  EXPECT_EQ(wire.exchange(twilio_send("2")).status, 0);
  expect_ledger(1, 1, "keepalive_then_close");
}

TEST_F(SimulatedFault, WrongContentTypeKeepsTheBody) {
  strike(R"({"action":"wrong_content_type"})");
  const auto reply = ask(twilio_send("Hi"));
  EXPECT_EQ(reply.headers.at("content-type"), "text/html");
  EXPECT_TRUE(object_of(reply.body).contains("sid"));
  expect_ledger(1, 1, "wrong_content_type");
}

TEST_F(SimulatedFault, RedirectMakesNothingAndTheLedgerSeesWhoFollows) {
  strike(R"({"action":"redirect"})");
  const auto reply = ask(twilio_send("Hi"));
  EXPECT_EQ(reply.status, 307);
  EXPECT_EQ(reply.headers.at("location"), simulator.url() + "/elsewhere");
  expect_ledger(1, 0, "redirect");
  EXPECT_EQ(ask(http_request("POST", "/elsewhere", {}, "To=x")).status, 404);
  expect_ledger(2, 0, "");
  EXPECT_EQ(ledger().at("requests").at(1).at("path").as_string(), "/elsewhere");
  strike(R"({"action":"redirect","status":302,"location":"https://other.example/x"})");
  const auto away = ask(twilio_send("Hi"));
  EXPECT_EQ(away.status, 302);
  EXPECT_EQ(away.headers.at("location"), "https://other.example/x");
}

TEST_F(SimulatedFault, WrongRequestsMakeNoMessageWhateverTheFault) {
  for (const char* action : {"create_then_status", "create_then_garbage", "wrong_content_type", "create_then_close"}) {
    strike(std::string(R"({"action":")") + action + "\"}");
    ask(twilio_post("To=nobody&From=%2B15550100001&Body=Hi"));
  }
  EXPECT_EQ(simulator.messages(), 0U);
}

TEST_F(SimulatedFault, SimulatorEndsWhileConnectionsHangAndDrip) {
  auto other = std::make_unique<simulator::Simulator>(simulator::SimulateOptions{});
  other->set_faults(R"([{"action":"hang","match":{"body":"hang"}},
                        {"action":"delay","ms":600000,"match":{"body":"delay"}},
                        {"action":"slow_drip","ms":100,"match":{"body":"drip"}}])");
  Wire hang(other->port());
  Wire delay(other->port());
  Wire drip(other->port());
  Wire idle(other->port());
  hang.send(twilio_send("hang"));
  delay.send(twilio_send("delay"));
  drip.send(twilio_send("drip"));
  while (other->requests() < 3) std::this_thread::sleep_for(1ms);
  const auto begun = Clock::now();
  other.reset();
  EXPECT_LT(Clock::now() - begun, 2s);
  EXPECT_NE(idle.read_end(), WireEnd::open);
}

}  // namespace
}  // namespace sms::tests
