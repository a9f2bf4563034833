#include <sms/error.hpp>

#include "unit/providers/samples.hpp"

#include <gmock/gmock.h>

#include <functional>

namespace sms::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string fault_of(const std::function<void(TwilioOptions&)>& change) {
  TwilioOptions options = twilio_options();
  change(options);
  try {
    twilio(options);
  } catch (const ConfigurationError& error) {
    return error.what();
  }
  return "";
}

std::string fault_of(const std::function<void(TelnyxOptions&)>& change) {
  TelnyxOptions options = telnyx_options();
  change(options);
  try {
    telnyx(options);
  } catch (const ConfigurationError& error) {
    return error.what();
  }
  return "";
}

TEST(Construction, good_options_make_an_adapter) {
  EXPECT_EQ(fault_of([](TwilioOptions&) {}), "");
  EXPECT_EQ(fault_of([](TelnyxOptions&) {}), "");
}

TEST(Construction, an_account_sid_has_its_documented_form) {
  for (const auto* const sid : {"", "AC", "AC0f1e2d3c4b5a69788796a5b4c3d2e1f", "ac0f1e2d3c4b5a69788796a5b4c3d2e1f0",
                                "AC0f1e2d3c4b5a69788796a5b4c3d2e1g0", "AC0f1e2d3c4b5a69788796a5b4c3d2e1f0/x"}) {
    EXPECT_THAT(fault_of([&](TwilioOptions& o) { o.account_sid = sid; }), HasSubstr("account_sid")) << sid;
  }
}

TEST(Construction, twilio_takes_a_token_or_an_api_key_and_not_both) {
  EXPECT_THAT(fault_of([](TwilioOptions& o) { o.auth_token = ""; }), HasSubstr("auth_token"));
  EXPECT_THAT(fault_of([](TwilioOptions& o) { o.api_key_sid = "SK1"; }), HasSubstr("auth_token"));
  EXPECT_THAT(fault_of([](TwilioOptions& o) {
                o.auth_token = "";
                o.api_key_sid = "SK1";
              }),
              HasSubstr("api_key_secret"));
  EXPECT_EQ(fault_of([](TwilioOptions& o) {
              o.auth_token = "";
              o.api_key_sid = "SK1";
              o.api_key_secret = "sec:ret";
            }),
            "");
}

TEST(Construction, a_credential_that_breaks_a_header_is_refused_without_being_told) {
  for (const auto& token : {std::string("se\rcret"), std::string("se\ncret"), std::string("se\0cret", 7)}) {
    const std::string fault = fault_of([&](TwilioOptions& o) { o.auth_token = token; });
    EXPECT_THAT(fault, HasSubstr("auth_token"));
    EXPECT_THAT(fault, Not(HasSubstr("cret")));
    EXPECT_THAT(fault_of([&](TelnyxOptions& o) { o.api_key = token; }), HasSubstr("api_key"));
  }
  EXPECT_THAT(fault_of([](TelnyxOptions& o) { o.api_key = ""; }), HasSubstr("api_key"));
}

TEST(Construction, credentials_travel_only_over_https_or_to_this_machine) {
  EXPECT_THAT(fault_of([](TwilioOptions& o) { o.base_url = "http://api.twilio.com"; }), HasSubstr("base_url"));
  EXPECT_THAT(fault_of([](TelnyxOptions& o) { o.base_url = ""; }), HasSubstr("base_url"));
  EXPECT_THAT(fault_of([](TelnyxOptions& o) { o.base_url = "https://u:p@api.telnyx.com"; }), HasSubstr("base_url"));
  EXPECT_EQ(fault_of([](TwilioOptions& o) { o.base_url = "http://127.0.0.1:8080"; }), "");
  EXPECT_EQ(fault_of([](TwilioOptions& o) {
              o.base_url = "http://sms.internal";
              o.allow_insecure = true;
            }),
            "");
}

TEST(Construction, a_default_sender_that_could_never_send_is_refused) {
  EXPECT_THAT(fault_of([](TwilioOptions& o) { o.from = "5005550006"; }), HasSubstr("from"));
  EXPECT_THAT(fault_of([](TwilioOptions& o) { o.from = MessagingService{"pool-1"}; }), HasSubstr("from"));
  EXPECT_THAT(fault_of([](TelnyxOptions& o) { o.from = SenderId{"Acme"}; }), HasSubstr("messaging_profile_id"));
  EXPECT_EQ(fault_of([](TelnyxOptions& o) { o.from.reset(); }), "");
}

TEST(Construction, trailing_slashes_of_the_base_url_do_not_matter) {
  TelnyxOptions options = telnyx_options();
  options.base_url = "https://proxy.example/base///";
  EXPECT_EQ(telnyx(options)->build(message_from(), {}).url, "https://proxy.example/base/v2/messages");
}

TEST(Construction, requests_say_who_sends_them) {
  for (const auto& adapter : {twilio(twilio_options()), telnyx(telnyx_options())}) {
    HttpExchange headers_of;
    headers_of.headers = adapter->build(message_from(), {}).headers;
    ASSERT_NE(headers_of.header("user-agent"), nullptr);
    EXPECT_THAT(*headers_of.header("user-agent"), HasSubstr("sms"));
  }
}

}  // namespace
}  // namespace sms::test
