#pragma once

#include <sms/transport.hpp>

#include "transport/scripted_server.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <utility>

namespace sms::tests {

using namespace std::chrono_literals;

class TransportTest : public ::testing::Test {
 protected:
  using Mode = ScriptedServer::Mode;
  using End = Reaction::End;

  static HttpRequest post(std::string url, std::string body = R"({"to":"+14155550123"})") {
    HttpRequest request;
    request.url = std::move(url);
    request.headers = {{"Content-Type", "application/json"}, {"Accept", "application/json"}};
    request.body = std::move(body);
    return request;
  }

  static std::shared_ptr<AttemptGate> gate() { return std::make_shared<AttemptGate>(); }

  static std::future<HttpExchange> start(Transport& transport, HttpRequest request, ExchangeOptions options = {},
                                         std::shared_ptr<AttemptGate> with = gate()) {
    auto promise = std::make_shared<std::promise<HttpExchange>>();
    auto future = promise->get_future();
    transport.exchange(std::move(request), options, std::move(with),
                       [promise](Expected<HttpExchange> exchange) { promise->set_value(std::move(exchange).value()); });
    return future;
  }

  /// Sends and waits; a transport that never answers fails the test.
  static HttpExchange send(Transport& transport, HttpRequest request, ExchangeOptions options = {},
                           std::shared_ptr<AttemptGate> with = gate()) {
    auto future = start(transport, std::move(request), options, std::move(with));
    if (future.wait_for(20s) != std::future_status::ready) {
      ADD_FAILURE() << "no answer within 20 s";
      std::abort();
    }
    return future.get();
  }

  static ExchangeOptions within(std::chrono::milliseconds timeout, std::chrono::milliseconds keep_open = 0ms) {
    ExchangeOptions options;
    options.timeout = timeout;
    options.keep_open = keep_open;
    return options;
  }

  static std::shared_ptr<Transport> transport_for(const ScriptedServer& server) {
    CurlTransportOptions options;
    if (!server.ca_file().empty()) options.ca_file = server.ca_file();
    return curl_transport(options);
  }

  /// Answers the first request of a connection and keeps it; does `reaction` to every later one.
  static ScriptedServer::Script second_time(Reaction reaction) {
    return [reaction](const SeenRequest& request) {
      return request.on_connection == 1 && request.connection == 1 ? Reaction{http_answer(201, "{}")}
             : request.on_connection == 1                          ? Reaction{http_answer(200, "{\"again\":true}")}
                                                                   : reaction;
    };
  }
};

}  // namespace sms::tests
