#include "unit/providers/samples.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace sms::test {
namespace {

/// Keeps what it was given; the test answers.
class HeldTransport final : public Transport {
 public:
  void exchange(HttpRequest r, ExchangeOptions o, std::shared_ptr<AttemptGate> g, Callback<HttpExchange> d) override {
    request = std::move(r);
    options = o;
    gate = std::move(g);
    done = std::move(d);
  }

  HttpRequest request;
  ExchangeOptions options;
  std::shared_ptr<AttemptGate> gate;
  Callback<HttpExchange> done;
};

class Throwing final : public HttpAdapter {
 public:
  const AdapterInfo& info() const override { return info_; }
  HttpRequest build(const AdapterMessage&, const SendContext&) const override { throw std::runtime_error("no"); }
  AdapterOutcome classify(const HttpExchange&, const AdapterMessage&) const override { return Unknown{}; }

 private:
  AdapterInfo info_;
};

struct Send {
  std::shared_ptr<HeldTransport> transport = std::make_shared<HeldTransport>();
  SendContext context;
  std::optional<Expected<AdapterOutcome>> outcome;

  Send() {
    context.transport = transport;
    context.gate = std::make_shared<AttemptGate>();
    context.timeout = std::chrono::milliseconds(1234);
    context.late_answer_window = std::chrono::milliseconds(5678);
    context.now = WallTime(std::chrono::milliseconds(1'796'040'000'000));
  }
  void through(HttpAdapter& adapter) {
    adapter.send(message_from(), context, [this](Expected<AdapterOutcome> o) { outcome = std::move(o); });
  }
};

TEST(HttpAdapter, hands_the_gate_and_the_times_to_the_transport) {
  const auto adapter = twilio(twilio_options());
  Send send;
  send.through(*adapter);
  EXPECT_EQ(send.transport->gate, send.context.gate);
  EXPECT_EQ(send.transport->options.timeout, send.context.timeout);
  EXPECT_EQ(send.transport->options.keep_open, send.context.late_answer_window);
  EXPECT_EQ(send.transport->options.reuse, ConnectionReuse::normal);
  EXPECT_EQ(send.transport->request, adapter->build(message_from(), send.context));
  EXPECT_FALSE(send.outcome);
}

TEST(HttpAdapter, uses_connections_as_its_options_say) {
  TelnyxOptions options = telnyx_options();
  options.connection_reuse = ConnectionReuse::never;
  const auto adapter = telnyx(options);
  Send send;
  send.through(*adapter);
  EXPECT_EQ(send.transport->options.reuse, ConnectionReuse::never);
}

TEST(HttpAdapter, measures_a_retry_after_date_from_when_the_answer_came) {
  const auto adapter = twilio(twilio_options());
  Send send;
  send.through(*adapter);
  auto reply = answer(429, R"({"code":20429})", {{"Retry-After", "Mon, 30 Nov 2026 12:00:10 GMT"}});
  reply.duration = std::chrono::milliseconds(2500);
  send.transport->done(std::move(reply));
  ASSERT_TRUE(send.outcome && *send.outcome);
  EXPECT_EQ(std::get<Rejected>(**send.outcome).retry_after, std::chrono::milliseconds(7500));
}

TEST(HttpAdapter, passes_a_transports_error_on) {
  const auto adapter = twilio(twilio_options());
  Send send;
  send.through(*adapter);
  send.transport->done(Expected<HttpExchange>(ConfigurationError("ca_file: cannot be read")));
  ASSERT_TRUE(send.outcome);
  ASSERT_FALSE(*send.outcome);
  EXPECT_EQ(send.outcome->error().code(), ErrorCode::configuration);
}

TEST(HttpAdapter, a_build_that_throws_leaves_a_gate_that_nothing_can_pass) {
  Throwing adapter;
  Send send;
  EXPECT_THROW(send.through(adapter), std::runtime_error);
  EXPECT_FALSE(send.context.gate->commit());
  EXPECT_EQ(send.context.gate->state(), AttemptGate::State::cancelled);
}

TEST(HttpAdapter, says_why_a_request_never_left) {
  HttpExchange exchange;
  exchange.failure = "connection refused";
  const auto outcome = twilio(twilio_options())->outcome_of(exchange, message_from());
  const auto& rejected = std::get<Rejected>(outcome);
  EXPECT_EQ(rejected.category, RejectionCategory::unreachable);
  EXPECT_EQ(rejected.details.message, "connection refused");
}

TEST(HttpAdapter, a_cut_answer_keeps_its_status_and_proves_nothing) {
  HttpExchange exchange = answer(400, R"({"code":21610})", {{"Twilio-Request-Id", "RQ1"}});
  exchange.evidence = Evidence::cut;
  const auto outcome = twilio(twilio_options())->outcome_of(exchange, message_from());
  const auto& unknown = std::get<Unknown>(outcome);
  EXPECT_EQ(unknown.reason, UnknownReason::network);
  EXPECT_EQ(unknown.details->http_status, 400);
  EXPECT_EQ(unknown.details->request_id, "RQ1");
}

}  // namespace
}  // namespace sms::test
