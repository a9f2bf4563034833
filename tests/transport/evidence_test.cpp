#include "transport/transport_fixture.hpp"

#include <cstdlib>

// The rows of the table "proof that nothing was sent".

namespace sms::tests {
namespace {

class NotSent : public TransportTest {
 protected:
  static void expect_not_sent(const HttpExchange& exchange) {
    EXPECT_EQ(exchange.evidence, Evidence::not_sent);
    EXPECT_EQ(exchange.status, 0);
    EXPECT_FALSE(exchange.failure.empty());
  }
  static std::uint16_t closed_port() { return ScriptedServer(Mode::silent).port(); }
};

TEST_F(NotSent, ConnectionRefused) {
  const auto transport = curl_transport();
  expect_not_sent(send(*transport, post("http://127.0.0.1:" + std::to_string(closed_port()) + "/")));
}

TEST_F(NotSent, NameThatDoesNotResolve) {
  const auto transport = curl_transport();
  expect_not_sent(send(*transport, post("https://provider.invalid/"), within(5s)));
}

TEST_F(NotSent, UrlThatIsNone) {
  const auto transport = curl_transport();
  for (const auto* url : {"", "nonsense", "ftp://127.0.0.1/", "http://", "https://[/"}) {
    expect_not_sent(send(*transport, post(url), within(2s)));
  }
}

TEST_F(NotSent, TlsThatFails) {
  const auto transport = curl_transport();
  ScriptedServer untrusted(Mode::https, [](const SeenRequest&) { return Reaction{http_answer(200, "{}")}; });
  expect_not_sent(send(*transport, post(untrusted.url())));
  EXPECT_EQ(untrusted.request_bytes(), 0U);

  ScriptedServer wrong_name(Mode::https, [](const SeenRequest&) { return Reaction{http_answer(200, "{}")}; });
  const auto trusting = transport_for(wrong_name);
  expect_not_sent(send(*trusting, post("https://localhost:" + std::to_string(wrong_name.port()) + "/")));
  EXPECT_EQ(wrong_name.request_bytes(), 0U);

  ScriptedServer garbage(Mode::garbage);
  expect_not_sent(send(*transport, post("https://127.0.0.1:" + std::to_string(garbage.port()) + "/")));

  ScriptedServer silent(Mode::silent);
  expect_not_sent(send(*transport, post("https://127.0.0.1:" + std::to_string(silent.port()) + "/"), within(300ms)));

  CurlTransportOptions no_ca;
  no_ca.ca_file = "/nonexistent.pem";
  expect_not_sent(send(*curl_transport(no_ca), post(untrusted.url())));
}

TEST_F(NotSent, ProxyThatRefusesToConnect) {
  for (const int status : {403, 407, 502}) {
    ScriptedServer proxy(Mode::http, [&](const SeenRequest&) { return Reaction{http_answer(status, "no")}; });
    CurlTransportOptions options;
    options.proxy = proxy.url("");
    expect_not_sent(send(*curl_transport(options), post("https://127.0.0.1:1/")));
    EXPECT_EQ(proxy.seen().at(0).head.substr(0, 7), "CONNECT");
  }
}

TEST_F(NotSent, ProxyThatDropsOrKeepsSilent) {
  ScriptedServer dropping(Mode::http, [](const SeenRequest&) { return Reaction{"", End::fin}; });
  CurlTransportOptions options;
  options.proxy = dropping.url("");
  expect_not_sent(send(*curl_transport(options), post("https://127.0.0.1:1/")));

  ScriptedServer silent(Mode::http, [](const SeenRequest&) { return Reaction{"", End::hang}; });
  options.proxy = silent.url("");
  expect_not_sent(send(*curl_transport(options), post("https://127.0.0.1:1/"), within(300ms)));
}

TEST_F(NotSent, TlsThatFailsInsideTheTunnel) {
  ScriptedServer proxy(Mode::http, [](const SeenRequest&) {
    return Reaction{"HTTP/1.1 200 Connection established\r\n\r\n", End::fin};
  });
  CurlTransportOptions options;
  options.proxy = proxy.url("");
  expect_not_sent(send(*curl_transport(options), post("https://127.0.0.1:1/")));
}

TEST_F(NotSent, ProxyVariablesOfTheEnvironmentAreIgnored) {
  ScriptedServer proxy(Mode::http, [](const SeenRequest&) { return Reaction{http_answer(200, "{}")}; });
  ScriptedServer server(Mode::http, [](const SeenRequest&) { return Reaction{http_answer(201, "{}")}; });
  setenv("http_proxy", proxy.url("").c_str(), 1);
  setenv("all_proxy", proxy.url("").c_str(), 1);
  EXPECT_EQ(send(*curl_transport(), post(server.url())).status, 201);
  unsetenv("http_proxy");
  unsetenv("all_proxy");
  EXPECT_EQ(proxy.connections(), 0);
}

TEST_F(NotSent, CheckThatSaysNoAtTheLastMomentOnAFreshAndOnAReusedConnection) {
  ScriptedServer server(Mode::https, [](const SeenRequest&) { return Reaction{http_answer(201, "{}")}; });
  const auto transport = transport_for(server);
  const auto refuse = [] { return std::make_shared<AttemptGate>([] { return AttemptGate::Reason::reservation_age; }); };
  expect_not_sent(send(*transport, post(server.url()), {}, refuse()));
  EXPECT_EQ(server.request_bytes(), 0U);

  ASSERT_EQ(send(*transport, post(server.url())).status, 201);
  const auto bytes = server.request_bytes();
  const auto refused = refuse();
  expect_not_sent(send(*transport, post(server.url()), {}, refused));
  EXPECT_EQ(refused->reason(), AttemptGate::Reason::reservation_age);
  EXPECT_EQ(server.request_bytes(), bytes);
}

TEST_F(NotSent, GateCancelledWhileTheConnectionIsBeingMade) {
  ScriptedServer silent(Mode::silent);
  const auto transport = curl_transport();
  const auto cancelled = gate();
  auto future =
      start(*transport, post("https://127.0.0.1:" + std::to_string(silent.port()) + "/"), within(20s), cancelled);
  EXPECT_EQ(future.wait_for(100ms), std::future_status::timeout);
  EXPECT_TRUE(cancelled->cancel(AttemptGate::Reason::caller));
  ASSERT_EQ(future.wait_for(5s), std::future_status::ready);
  expect_not_sent(future.get());
}

TEST_F(NotSent, GateCancelledWhileWaitingForASlot) {
  ScriptedServer server(Mode::http, [](const SeenRequest&) {
    return Reaction{http_answer(201, "{}"), End::keep_alive, 500ms};
  });
  CurlTransportOptions options;
  options.max_connections_per_host = 1;
  const auto transport = curl_transport(options);
  auto first = start(*transport, post(server.url()));
  const auto queued = gate();
  auto second = start(*transport, post(server.url()), {}, queued);
  EXPECT_EQ(second.wait_for(100ms), std::future_status::timeout);
  EXPECT_TRUE(queued->cancel(AttemptGate::Reason::queue_timeout));
  ASSERT_EQ(second.wait_for(5s), std::future_status::ready);
  expect_not_sent(second.get());
  EXPECT_EQ(first.get().status, 201);
  EXPECT_EQ(server.complete_requests(), 1);
}

class Sent : public TransportTest {};

TEST_F(Sent, WholeAnswerIsAnswered) {
  ScriptedServer server(Mode::http,
                        [](const SeenRequest&) { return Reaction{http_answer(201, "{\"sid\":1}", "X-Id: a b \r\n")}; });
  const auto exchange = send(*curl_transport(), post(server.url()));
  EXPECT_EQ(exchange.evidence, Evidence::answered);
  EXPECT_EQ(exchange.status, 201);
  EXPECT_EQ(exchange.body, "{\"sid\":1}");
  ASSERT_NE(exchange.header("x-ID"), nullptr);
  EXPECT_EQ(*exchange.header("x-ID"), "a b");
}

TEST_F(Sent, RequestArrivesAsItWasBuilt) {
  ScriptedServer server(Mode::http, [](const SeenRequest&) { return Reaction{http_answer(200, "{}")}; });
  send(*curl_transport(), post(server.url("/v1?a=b"), std::string("a\0b", 3)));
  const auto request = server.seen().at(0);
  EXPECT_EQ(request.head.substr(0, request.head.find("\r\n")), "POST /v1?a=b HTTP/1.1");
  EXPECT_EQ(request.body, std::string("a\0b", 3));
  EXPECT_EQ(request.head.find("Expect"), std::string::npos);
  EXPECT_EQ(request.head.find("Accept-Encoding"), std::string::npos);
  EXPECT_NE(request.head.find("Content-Type: application/json"), std::string::npos);
}

TEST_F(Sent, InterimAnswersAreNotTheAnswer) {
  ScriptedServer server(Mode::http, [](const SeenRequest&) {
    return Reaction{"HTTP/1.1 100 Continue\r\nX-A: 1\r\n\r\nHTTP/1.1 103 Early\r\n\r\n" + http_answer(202, "{}")};
  });
  const auto exchange = send(*curl_transport(), post(server.url()));
  EXPECT_EQ(exchange.status, 202);
  EXPECT_EQ(exchange.header("X-A"), nullptr);
}

TEST_F(Sent, SilenceUntilTheTimeOutIsLost) {
  ScriptedServer server(Mode::http, [](const SeenRequest&) { return Reaction{"", End::hang}; });
  const auto exchange = send(*curl_transport(), post(server.url()), within(200ms));
  EXPECT_EQ(exchange.evidence, Evidence::lost);
  EXPECT_EQ(server.complete_requests(), 1);
}

TEST_F(Sent, AnswerAfterTheTimeOutStillArrivesWhileTheExchangeIsKeptOpen) {
  ScriptedServer server(Mode::http, [](const SeenRequest&) {
    return Reaction{http_answer(201, "{}"), End::keep_alive, 600ms};
  });
  const auto exchange = send(*curl_transport(), post(server.url()), within(200ms, 5s));
  EXPECT_EQ(exchange.evidence, Evidence::answered);
  EXPECT_GE(exchange.duration, 600ms);
}

TEST_F(Sent, AbandonedExchangeEndsSoonAsLost) {
  ScriptedServer server(Mode::http, [](const SeenRequest&) { return Reaction{"", End::hang}; });
  const auto transport = curl_transport();
  const auto abandoned = gate();
  auto future = start(*transport, post(server.url()), within(20s, 60s), abandoned);
  while (server.complete_requests() == 0) std::this_thread::sleep_for(1ms);
  EXPECT_FALSE(abandoned->cancel(AttemptGate::Reason::caller));
  abandoned->abandon();
  ASSERT_EQ(future.wait_for(5s), std::future_status::ready);
  EXPECT_EQ(future.get().evidence, Evidence::lost);
}

TEST_F(Sent, CutAnswersSayTheirStatusAndAreNotWhole) {
  struct Case {
    std::string answer;
    int status;
  };
  for (const auto& one : {Case{"HTTP/1.1 201 Created\r\nContent-Length: 50\r\n\r\n{\"sid\":", 201},
                          Case{"HTTP/1.1 400 Bad\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"co\r\n", 400},
                          Case{"HTTP/1.1 201 Created\r\nContent-Le", 201}}) {
    ScriptedServer server(Mode::http, [&](const SeenRequest&) { return Reaction{one.answer, End::fin}; });
    const auto exchange = send(*curl_transport(), post(server.url()));
    EXPECT_EQ(exchange.evidence, Evidence::cut) << one.answer;
    EXPECT_EQ(exchange.status, one.status);
  }
}

TEST_F(Sent, AnswerThatIsTooLongIsCut) {
  CurlTransportOptions options;
  options.max_answer_bytes = 1000;
  ScriptedServer server(Mode::http, [](const SeenRequest&) {
    return Reaction{"HTTP/1.1 201 Created\r\n\r\n" + std::string(5000, 'x'), End::fin};
  });
  const auto exchange = send(*curl_transport(options), post(server.url()));
  EXPECT_EQ(exchange.evidence, Evidence::cut);
  EXPECT_LE(exchange.body.size(), 1000U);

  ScriptedServer headers(Mode::http, [](const SeenRequest&) {
    return Reaction{"HTTP/1.1 201 Created\r\nX-Long: " + std::string(70'000, 'x') + "\r\n\r\n", End::fin};
  });
  EXPECT_NE(send(*curl_transport(), post(headers.url())).evidence, Evidence::answered);
}

TEST_F(Sent, AnswerThatIsNotHttpIsLost) {
  ScriptedServer server(Mode::http, [](const SeenRequest&) { return Reaction{"hello\r\n", End::fin}; });
  EXPECT_EQ(send(*curl_transport(), post(server.url())).evidence, Evidence::lost);
}

TEST_F(Sent, SlowDripWithinTheLimitIsAnswered) {
  ScriptedServer server(Mode::http, [](const SeenRequest&) {
    return Reaction{http_answer(201, "{\"sid\":1}"), End::keep_alive, 0ms, 3ms};
  });
  EXPECT_EQ(send(*curl_transport(), post(server.url())).evidence, Evidence::answered);
}

}  // namespace
}  // namespace sms::tests
