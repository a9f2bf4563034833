#include "transport/transport_fixture.hpp"

#include <atomic>
#include <condition_variable>
#include <mutex>

namespace sms::tests {
namespace {

class Load : public TransportTest {};

TEST_F(Load, ThousandsOfRequestsFromManyThreadsEachArriveOnce) {
  ScriptedServer server(Mode::http,
                        [](const SeenRequest& request) { return Reaction{http_answer(201, request.body)}; });
  CurlTransportOptions options;
  options.max_connections_per_host = 16;
  const auto transport = curl_transport(options);
  constexpr int threads = 8;
  constexpr int each = 400;
  std::atomic<int> good{0};
  std::vector<std::thread> senders;
  for (int t = 0; t < threads; ++t) {
    senders.emplace_back([&, t] {
      for (int i = 0; i < each; ++i) {
        const auto body = std::to_string(t) + ":" + std::to_string(i);
        const auto exchange = send(*transport, post(server.url(), body));
        if (exchange.evidence == Evidence::answered && exchange.body == body) ++good;
      }
    });
  }
  for (auto& sender : senders) sender.join();
  EXPECT_EQ(good, threads * each);
  EXPECT_EQ(server.complete_requests(), threads * each);
  EXPECT_LE(server.connections(), 16);
}

TEST_F(Load, LimitsBoundTheConnectionsAndTheQueueDrains) {
  ScriptedServer server(Mode::http, [](const SeenRequest&) {
    return Reaction{http_answer(201, "{}"), End::keep_alive, 5ms};
  });
  CurlTransportOptions options;
  options.max_connections = 4;
  const auto transport = curl_transport(options);
  std::vector<std::future<HttpExchange>> all;
  for (int i = 0; i < 100; ++i) all.push_back(start(*transport, post(server.url())));
  for (auto& one : all) EXPECT_EQ(one.get().evidence, Evidence::answered);
  EXPECT_LE(server.connections(), 4);
}

TEST_F(Load, WaitingForASlotIsNotPartOfTheTimeOut) {
  ScriptedServer server(Mode::http, [](const SeenRequest&) {
    return Reaction{http_answer(201, "{}"), End::keep_alive, 150ms};
  });
  CurlTransportOptions options;
  options.max_connections = 1;
  const auto transport = curl_transport(options);
  std::vector<std::future<HttpExchange>> all;
  for (int i = 0; i < 5; ++i) all.push_back(start(*transport, post(server.url()), within(400ms)));
  for (auto& one : all) EXPECT_EQ(one.get().evidence, Evidence::answered);
}

TEST_F(Load, DestructionAnswersWhatIsStillUnderWay) {
  ScriptedServer server(Mode::http, [](const SeenRequest&) { return Reaction{"", End::hang}; });
  CurlTransportOptions options;
  options.max_connections = 1;
  auto transport = curl_transport(options);
  auto sent = start(*transport, post(server.url()));
  auto queued = start(*transport, post(server.url()));
  while (server.complete_requests() == 0) std::this_thread::sleep_for(1ms);
  transport.reset();
  EXPECT_EQ(sent.get().evidence, Evidence::lost);
  EXPECT_EQ(queued.get().evidence, Evidence::not_sent);
}

TEST_F(Load, LastReferenceMayGoInsideACallback) {
  ScriptedServer server(Mode::http, [](const SeenRequest&) { return Reaction{http_answer(201, "{}")}; });
  auto transport = curl_transport();
  std::promise<void> gone;
  auto* raw = transport.get();
  raw->exchange(post(server.url()), {}, gate(), [&gone, owner = std::move(transport)](Expected<HttpExchange>) mutable {
    owner.reset();
    gone.set_value();
  });
  EXPECT_EQ(gone.get_future().wait_for(10s), std::future_status::ready);
}

TEST_F(Load, CallbackMayStartTheNextExchange) {
  ScriptedServer server(Mode::http, [](const SeenRequest&) { return Reaction{http_answer(201, "{}")}; });
  const auto transport = curl_transport();
  std::promise<void> over;
  std::atomic<int> left{50};
  std::function<void()> next = [&] {
    transport->exchange(post(server.url()), {}, gate(), [&](Expected<HttpExchange>) {
      if (--left == 0) {
        over.set_value();
      } else {
        next();
      }
    });
  };
  next();
  ASSERT_EQ(over.get_future().wait_for(10s), std::future_status::ready);
  EXPECT_EQ(server.complete_requests(), 50);
}

TEST_F(Load, GateIsCommittedOrCancelledNeverBoth) {
  for (int round = 0; round < 2000; ++round) {
    AttemptGate contested;
    std::atomic<int> winners{0};
    std::atomic<bool> go{false};
    std::thread committer([&] {
      while (!go) {
      }
      winners += contested.commit() ? 1 : 0;
    });
    go = true;
    winners += contested.cancel(AttemptGate::Reason::caller) ? 1 : 0;
    committer.join();
    ASSERT_EQ(winners, 1);
  }
}

}  // namespace
}  // namespace sms::tests
