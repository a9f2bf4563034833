#include "unit/providers/samples.hpp"

#include <gmock/gmock.h>

namespace sms::test {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string body_of(const AdapterMessage& message) { return twilio(twilio_options())->build(message, {}).body; }

AdapterOutcome outcome_of(int status, std::string body, std::vector<Header> headers = {}) {
  return twilio(twilio_options())->outcome_of(answer(status, std::move(body), std::move(headers)), message_from());
}

Rejected rejection_of(int status, std::string body, std::vector<Header> headers = {}) {
  const auto outcome = outcome_of(status, std::move(body), std::move(headers));
  const auto* const rejected = std::get_if<Rejected>(&outcome);
  EXPECT_NE(rejected, nullptr);
  return rejected == nullptr ? Rejected{} : *rejected;
}

TEST(Twilio, writes_its_fields_in_the_documented_order) {
  AdapterMessage message = message_from(MessagingService{service_sid});
  message.body = "a b";
  message.media_urls = {"https://m.example/1", "https://m.example/2"};
  message.webhook_url = "https://w.example/s";
  message.validity_period = std::chrono::seconds(60);
  message.send_at = WallTime(std::chrono::milliseconds(1'993'525'567'089));
  message.options = {{"SmartEncoded", true}, {"Attempt", std::int64_t{2}}};
  EXPECT_EQ(body_of(message),
            "To=%2B14155550123&MessagingServiceSid=" + service_sid +
                "&Body=a+b&MediaUrl=https%3A%2F%2Fm.example%2F1&MediaUrl=https%3A%2F%2Fm.example%2F2"
                "&StatusCallback=https%3A%2F%2Fw.example%2Fs&ValidityPeriod=60&SendAt=2033-03-04T05%3A06%3A07.089Z"
                "&ScheduleType=fixed&SmartEncoded=true&Attempt=2");
}

TEST(Twilio, leaves_out_an_empty_body) {
  AdapterMessage message = message_from();
  message.body = "";
  message.media_urls = {"https://m.example/1"};
  EXPECT_EQ(body_of(message), "To=%2B14155550123&From=%2B15005550006&MediaUrl=https%3A%2F%2Fm.example%2F1");
}

TEST(Twilio, schedules_only_with_a_messaging_service) {
  AdapterMessage message = message_from();
  message.send_at = WallTime(std::chrono::milliseconds(1));
  EXPECT_THAT(twilio(twilio_options())->validate(message),
              ElementsAre(AllOf(Field(&ValidationIssue::code, IssueCode::unsupported_field),
                                Field(&ValidationIssue::field, "sendAt"))));
  message.from = MessagingService{service_sid};
  EXPECT_THAT(twilio(twilio_options())->validate(message), IsEmpty());
}

TEST(Twilio, shortens_urls_only_with_a_messaging_service) {
  AdapterMessage message = message_from();
  message.options = {{"ShortenUrls", false}};
  EXPECT_THAT(twilio(twilio_options())->validate(message), IsEmpty());
  message.options = {{"ShortenUrls", true}};
  EXPECT_THAT(twilio(twilio_options())->validate(message),
              ElementsAre(AllOf(Field(&ValidationIssue::code, IssueCode::unsupported_field),
                                Field(&ValidationIssue::field, "providerOptions"))));
  message.from = MessagingService{service_sid};
  EXPECT_THAT(twilio(twilio_options())->validate(message), IsEmpty());
}

TEST(Twilio, refuses_a_messaging_service_of_another_form) {
  EXPECT_THAT(twilio(twilio_options())->validate(message_from(MessagingService{"pool-1"})),
              ElementsAre(Field(&ValidationIssue::code, IssueCode::invalid_sender)));
}

TEST(Twilio, sorts_the_codes_that_the_peers_call_request) {
  const std::pair<int, RejectionCategory> rows[] = {
      {21611, RejectionCategory::rate_limited}, {21217, RejectionCategory::recipient},
      {21635, RejectionCategory::recipient},    {21603, RejectionCategory::sender},
      {90010, RejectionCategory::account},
  };
  for (const auto& [code, category] : rows) {
    EXPECT_EQ(rejection_of(400, R"({"code":)" + std::to_string(code) + "}").category, category) << code;
  }
}

TEST(Twilio, a_401_is_about_credentials_whatever_the_code_says) {
  const Rejected rejected = rejection_of(401, R"({"code":21610,"message":"x"})");
  EXPECT_EQ(rejected.category, RejectionCategory::auth);
  EXPECT_EQ(rejected.proof, Proof::provider_body);
}

TEST(Twilio, an_error_body_is_proof_only_with_a_numeric_code) {
  EXPECT_EQ(rejection_of(400, R"({"code":21606})").proof, Proof::provider_body);
  EXPECT_EQ(rejection_of(403, R"({"code":99999})").proof, Proof::provider_body);
  for (const auto* const body : {"", "<html>Forbidden</html>", R"({"message":"Forbidden"})", R"({"code":"21606"})",
                                 R"({"code":21606.5})", R"({"code":21606,"code":21606})", R"([{"code":21606}])"}) {
    EXPECT_EQ(rejection_of(403, body).proof, Proof::status) << body;
    EXPECT_EQ(rejection_of(403, body).category, RejectionCategory::auth) << body;
  }
}

TEST(Twilio, a_429_is_a_rate_limit_only_with_a_code_that_says_so) {
  EXPECT_EQ(rejection_of(429, R"({"code":20429})").category, RejectionCategory::rate_limited);
  for (const auto* const body : {"", "{}", R"({"code":21610})", R"({"code":20003})", R"({"code":"20429"})"}) {
    const auto outcome = outcome_of(429, body);
    const auto* const unknown = std::get_if<Unknown>(&outcome);
    ASSERT_NE(unknown, nullptr) << body;
    EXPECT_EQ(unknown->reason, UnknownReason::unexpected_status);
  }
}

TEST(Twilio, reads_retry_after_only_for_a_rate_limit) {
  EXPECT_EQ(rejection_of(429, R"({"code":20429})", {{"Retry-After", "7"}}).retry_after, std::chrono::seconds(7));
  EXPECT_EQ(rejection_of(400, R"({"code":21606})", {{"Retry-After", "7"}}).retry_after, std::nullopt);
}

TEST(Twilio, masks_what_an_error_echoes_of_the_message) {
  const Rejected rejected =
      rejection_of(400, R"({"code":21602,"message":"Body 'Your code is 918273' for +14155550123"})",
                   {{"Twilio-Request-Id", "RQ918273"}});
  EXPECT_THAT(*rejected.details.message, Not(HasSubstr("918273")));
  EXPECT_THAT(*rejected.details.message, Not(HasSubstr("4155550123")));
  EXPECT_THAT(*rejected.details.request_id, Not(HasSubstr("918273")));
  EXPECT_EQ(rejected.details.code, "21602");
  EXPECT_EQ(rejected.details.http_status, 400);
}

TEST(Twilio, results_carry_the_name_of_the_adapter) {
  TwilioOptions options = twilio_options();
  options.name = "twilio-eu";
  const auto outcome = twilio(options)->outcome_of(answer(500, ""), message_from());
  EXPECT_EQ(std::get<Unknown>(outcome).details->provider, "twilio-eu");
}

}  // namespace
}  // namespace sms::test
