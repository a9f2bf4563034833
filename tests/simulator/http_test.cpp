#include "simulator/judged.hpp"

#include <atomic>
#include <stdexcept>
#include <thread>

namespace sms::tests {
namespace {

using ::testing::StartsWith;

class SimulatedHttp : public Judged {};

TEST_F(SimulatedHttp, KeepsConnectionsAliveAndNumbersThem) {
  {
    Wire wire(simulator.port());
    for (int i = 0; i < 3; ++i) EXPECT_EQ(wire.exchange(twilio_send("Hi")).status, 201);
  }
  ask(twilio_send("Hi"));
  std::string seen;
  const auto json = ledger();
  for (const auto& request : json.at("requests").as_array()) {
    seen += std::to_string(request.at("connection").as_int64()) + "." +
            std::to_string(request.at("onConnection").as_int64()) + " ";
  }
  EXPECT_EQ(seen, "1.1 1.2 1.3 2.1 ");
}

TEST_F(SimulatedHttp, ClosesWhenTheClientWants) {
  Wire wire(simulator.port());
  const auto reply = wire.exchange(http_request("GET", "/_sim/health", {"Connection: close"}));
  EXPECT_EQ(reply.headers.at("connection"), "close");
  EXPECT_EQ(wire.read_end(), WireEnd::fin);
  Wire old(simulator.port());
  EXPECT_EQ(old.exchange("GET /_sim/health HTTP/1.0\r\n\r\n").status, 200);
  EXPECT_EQ(old.read_end(), WireEnd::fin);
}

TEST_F(SimulatedHttp, ReadsRequestsThatComeInPiecesOrChunksOrTogether) {
  const auto text = twilio_send("Hi");
  Wire pieces(simulator.port());
  for (const char byte : text) pieces.send({&byte, 1});
  EXPECT_EQ(pieces.read().status, 201);
  Wire chunks(simulator.port());
  chunks.send("POST " + twilio_path() + " HTTP/1.1\r\nHost: x\r\n" + account_header +
              "\r\nContent-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\n");
  chunks.send("11\r\nTo=%2B14155550123\r\n1c\r\n&From=%2B15550100001&Body=Hi\r\n0\r\n\r\n");
  EXPECT_EQ(chunks.read().status, 201);
  Wire together(simulator.port());
  together.send(text + text);
  EXPECT_EQ(together.read().status, 201);
  EXPECT_EQ(together.read().status, 201);
  EXPECT_EQ(simulator.messages(), 4U);
}

TEST_F(SimulatedHttp, SaysContinueToThoseWhoWaitForIt) {
  Wire wire(simulator.port());
  wire.send("POST " + twilio_path() + " HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n");
  EXPECT_EQ(wire.read().status, 100);
  EXPECT_EQ(simulator.requests(), 0U);
  wire.send("To=x");
  EXPECT_EQ(wire.read().status, 401);
  EXPECT_EQ(simulator.requests(), 1U);
}

TEST_F(SimulatedHttp, CountsOnlyCompleteRequests) {
  {
    const auto text = twilio_send("Hi");
    Wire wire(simulator.port());
    wire.send(text.substr(0, text.size() - 1));
  }
  Wire wire(simulator.port());
  EXPECT_EQ(wire.exchange("what is this\r\n\r\n").status, 400);
  EXPECT_EQ(wire.read_end(), WireEnd::fin);
  EXPECT_EQ(simulator.requests(), 0U);
}

TEST_F(SimulatedHttp, AnswersUnknownPathsAndCountsThem) {
  EXPECT_EQ(get("/").status, 404);
  EXPECT_EQ(ask(http_request("POST", "/v1/messages", {}, "{}")).status, 404);
  EXPECT_EQ(simulator.requests(), 2U);
}

TEST_F(SimulatedHttp, ServesManyConnectionsAtOnceAndCountsExactly) {
  constexpr int connections = 64;
  constexpr int each = 50;
  std::atomic<int> made{0};
  std::vector<std::thread> clients;
  for (int i = 0; i < connections; ++i) {
    clients.emplace_back([this, i, &made] {
      Wire wire(simulator.port());
      for (int j = 0; j < each; ++j) {
        const auto body = std::to_string(i) + "-" + std::to_string(j);
        made += wire.exchange(i % 2 == 0 ? twilio_send(body) : telnyx_send(body)).status / 100 == 2 ? 1 : 0;
      }
    });
  }
  for (auto& client : clients) client.join();
  EXPECT_EQ(made, connections * each);
  const auto summary = object_of(get("/_sim/ledger/summary?by=body").body);
  EXPECT_EQ(summary.size(), static_cast<std::size_t>(connections * each));
  for (const auto& [body, count] : summary) EXPECT_EQ(count.as_int64(), 1) << std::string(body);
}

TEST(Simulator, SaysWhyItCannotListen) {
  const simulator::Simulator first{{}};
  EXPECT_THAT(first.url(), StartsWith("http://127.0.0.1:"));
  simulator::SimulateOptions options;
  options.port = first.port();
  try {
    const simulator::Simulator second(options);
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), StartsWith("cannot listen on 127.0.0.1:"));
  }
  options.host = "localhost";
  EXPECT_THROW(simulator::Simulator{options}, std::runtime_error);
}

TEST(Simulator, GivesItsPortBackWhenItEnds) {
  simulator::SimulateOptions options;
  {
    const simulator::Simulator first(options);
    options.port = first.port();
    EXPECT_EQ(Wire(options.port).exchange(twilio_send("Hi")).status, 201);
  }
  EXPECT_FALSE(Wire(options.port).connected());
  const simulator::Simulator again(options);
  EXPECT_EQ(Wire(options.port).exchange(twilio_send("Hi")).status, 201);
}

}  // namespace
}  // namespace sms::tests
