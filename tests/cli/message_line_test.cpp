#include "message_line.hpp"

#include <sms/error.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sms::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string fault_of(std::string_view line) {
  const auto input = parse_message_line(line);
  return input ? "no fault" : input.error().what();
}

TEST(MessageLine, ReadsEveryField) {
  const auto input = parse_message_line(
      R"({"to":"+14155550123","body":"Hi \u00e9","idempotencyKey":"k1","from":"sender:Bank","mediaUrls":["https://a.test/1"],)"
      R"("sendAt":"2026-11-30T12:00:00Z","validityPeriodSec":60,"webhookUrl":"https://b.test",)"
      R"("providerOptions":{"twilio":{"smartEncoded":true,"attempt":2,"extra":{"TrafficType":"free"}}}})");
  ASSERT_TRUE(input) << input.error().what();
  EXPECT_EQ(input->to, "+14155550123");
  EXPECT_EQ(input->body, "Hi \xC3\xA9");
  EXPECT_EQ(input->idempotency_key, "k1");
  EXPECT_EQ(input->from, From(SenderId{"Bank"}));
  EXPECT_EQ(input->media_urls, std::vector<std::string>{"https://a.test/1"});
  EXPECT_TRUE(input->send_at);
  EXPECT_EQ(input->validity_period, std::chrono::seconds(60));
  EXPECT_EQ(input->webhook_url, "https://b.test");
  const OptionBag& bag = input->provider_options.at("twilio");
  ASSERT_EQ(bag.values.size(), 2U);
  EXPECT_EQ(bag.values[0], (std::pair<std::string, OptionValue>("smartEncoded", true)));
  EXPECT_EQ(bag.values[1], (std::pair<std::string, OptionValue>("attempt", std::int64_t{2})));
  ASSERT_EQ(bag.extra.size(), 1U);
  EXPECT_EQ(bag.extra[0].first, "TrafficType");
}

TEST(MessageLine, TakesASenderAsAnObject) {
  EXPECT_EQ(parse_message_line(R"({"from":{"shortCode":"89045"}})")->from, From(ShortCode{"89045"}));
  EXPECT_EQ(parse_message_line(R"({"from":{"messagingService":"MG1"}})")->from, From(MessagingService{"MG1"}));
  EXPECT_THAT(fault_of(R"({"from":{"shortCode":"1","senderId":"x"}})"), HasSubstr("from"));
  EXPECT_THAT(fault_of(R"({"from":{"name":"x"}})"), HasSubstr("from"));
}

TEST(MessageLine, RefusesAMisspelledFieldRatherThanSendWithoutProtection) {
  EXPECT_THAT(fault_of(R"({"to":"+14155550123","body":"x","idempotencykey":"k"})"), HasSubstr("idempotencyKey?"));
}

TEST(MessageLine, RefusesANullKeyRatherThanSendWithoutProtection) {
  EXPECT_THAT(fault_of(R"({"to":"+14155550123","body":"x","idempotencyKey":null})"),
              HasSubstr("idempotencyKey must be"));
}

TEST(MessageLine, NamesFieldAndRuleButNeverTheValue) {
  EXPECT_THAT(fault_of(R"({"to":14155550123})"), HasSubstr("to must be a string"));
  EXPECT_THAT(fault_of(R"({"mediaUrls":"https://a.test"})"), HasSubstr("mediaUrls must be a list"));
  EXPECT_THAT(fault_of(R"({"sendAt":"tomorrow 4711"})"), Not(HasSubstr("4711")));
  EXPECT_THAT(fault_of(R"({"validityPeriodSec":1.5})"), HasSubstr("validityPeriodSec must be a whole number"));
  EXPECT_THAT(fault_of(R"({"providerOptions":{"twilio":1}})"), HasSubstr("providerOptions must be an object"));
}

TEST(MessageLine, RefusesWhatIsNoJsonObject) {
  for (const char* line : {"", "{", "[]", "1", "\"x\"", "{\"to\":\"x\"} {}", "nul", "{'to':'x'}"}) {
    const auto input = parse_message_line(line);
    ASSERT_FALSE(input) << line;
    EXPECT_EQ(input.error().code(), ErrorCode::invalid_message) << line;
  }
}

}  // namespace
}  // namespace sms::cli
