#include <sms/testing/adapter_contract.hpp>

#include "unit/providers/samples.hpp"

#include <gmock/gmock.h>

namespace sms::test {
namespace {

using sms::testing::AdapterSamples;
using sms::testing::ContractCheck;
using ::testing::IsEmpty;

AdapterSamples twilio_samples() {
  return {message_from(), answer(201, R"({"sid":")" + message_sid + R"(","status":"queued"})"), message_sid,
          answer(400, R"({"code":21602,"message":"bad: {echo}","status":400})", {{"Twilio-Request-Id", "RQ1"}})};
}

AdapterSamples telnyx_samples() {
  const std::string id = "40385f64-5717-4562-b3fc-2c963f66afa6";
  return {message_from(), answer(200, R"({"data":{"id":")" + id + R"(","to":[{"status":"queued"}]}})"), id,
          answer(422, R"({"errors":[{"code":"40322","title":"no","detail":"bad: {echo}"}]})")};
}

class Contract : public ::testing::TestWithParam<ContractCheck> {};

TEST_P(Contract, twilio_keeps_it) {
  EXPECT_THAT(GetParam().faults(*twilio(twilio_options()), twilio_samples()), IsEmpty()) << GetParam().rule;
}

TEST_P(Contract, telnyx_keeps_it) {
  EXPECT_THAT(GetParam().faults(*telnyx(telnyx_options()), telnyx_samples()), IsEmpty()) << GetParam().rule;
}

/// An adapter that breaks every rule: a check that lets it pass checks nothing.
class Careless final : public HttpAdapter {
 public:
  const AdapterInfo& info() const override { return info_; }
  HttpRequest build(const AdapterMessage& message, const SendContext&) const override {
    HttpRequest request;
    request.url = "https://sms.example/" + message.to + "?n=" + std::to_string(++builds_);
    request.headers = {{"X-Body", message.body}};
    request.body = message.to + message.body;
    return request;
  }
  AdapterOutcome classify(const HttpExchange& exchange, const AdapterMessage&) const override {
    if (exchange.status == 429 || exchange.body.find("bad") != std::string::npos || exchange.status == 403) {
      Rejected rejected;
      rejected.retry_after = std::chrono::seconds(7);
      rejected.details.message = exchange.body;
      return rejected;
    }
    return Accepted{"1234", Delivery::unknown};
  }

 private:
  AdapterInfo info_;
  mutable int builds_ = 0;
};

TEST(ContractChecks, find_an_adapter_that_breaks_the_rules) {
  Careless careless;
  for (const auto& check : sms::testing::adapter_contract()) {
    // What the base class decides by itself no adapter can break.
    const std::string_view name = check.name;
    const bool by_base = name == "sends_once" || name == "server_errors" || name == "redirects" ||
                         name == "late_client_errors" || name == "evidence_first";
    EXPECT_EQ(check.faults(careless, twilio_samples()).empty(), by_base) << check.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Adapters, Contract,
                         ::testing::ValuesIn(sms::testing::adapter_contract().begin(),
                                             sms::testing::adapter_contract().end()),
                         [](const auto& check) { return std::string(check.param.name); });

}  // namespace
}  // namespace sms::test
