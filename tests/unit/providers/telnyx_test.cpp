#include "unit/providers/samples.hpp"

#include <gmock/gmock.h>

namespace sms::test {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::shared_ptr<HttpAdapter> with_profile() {
  TelnyxOptions options = telnyx_options();
  options.messaging_profile_id = "prof-1";
  return telnyx(options);
}

AdapterOutcome outcome_of(int status, std::string body, std::vector<Header> headers = {}) {
  return telnyx(telnyx_options())->outcome_of(answer(status, std::move(body), std::move(headers)), message_from());
}

Rejected rejection_of(int status, std::string body, std::vector<Header> headers = {}) {
  const auto outcome = outcome_of(status, std::move(body), std::move(headers));
  const auto* const rejected = std::get_if<Rejected>(&outcome);
  EXPECT_NE(rejected, nullptr);
  return rejected == nullptr ? Rejected{} : *rejected;
}

TEST(Telnyx, writes_its_fields_in_order) {
  AdapterMessage message = message_from();
  message.body = "m";
  message.media_urls = {"https://m.example/1"};
  message.webhook_url = "https://w.example/";
  message.send_at = WallTime(std::chrono::milliseconds(1'993'525'567'089));
  message.options = {{"subject", std::string("S \"q\"")}, {"auto_detect", false}, {"n", 1.5}};
  EXPECT_EQ(with_profile()->build(message, {}).body,
            R"({"to":"+14155550123","from":"+15005550006","messaging_profile_id":"prof-1","text":"m",)"
            R"("media_urls":["https://m.example/1"],"type":"MMS","webhook_url":"https://w.example/",)"
            R"("send_at":"2033-03-04T05:06:07.089Z","subject":"S \"q\"","auto_detect":false,"n":1.5})");
}

TEST(Telnyx, leaves_out_an_empty_body) {
  AdapterMessage message = message_from();
  message.body = "";
  message.media_urls = {"https://m.example/1"};
  EXPECT_THAT(telnyx(telnyx_options())->build(message, {}).body, Not(HasSubstr("text")));
}

TEST(Telnyx, a_messaging_service_takes_the_place_of_the_configured_profile) {
  AdapterMessage message = message_from(MessagingService{"pool-2"});
  message.body = "m";
  EXPECT_EQ(with_profile()->build(message, {}).body,
            R"({"to":"+14155550123","messaging_profile_id":"pool-2","text":"m"})");
}

TEST(Telnyx, an_alphanumeric_sender_needs_a_profile) {
  const AdapterMessage message = message_from(SenderId{"Acme"});
  EXPECT_THAT(telnyx(telnyx_options())->validate(message),
              ElementsAre(AllOf(Field(&ValidationIssue::code, IssueCode::invalid_sender),
                                Field(&ValidationIssue::field, "from"))));
  EXPECT_THAT(with_profile()->validate(message), IsEmpty());
}

TEST(Telnyx, a_listed_code_beats_401_and_403) {
  EXPECT_EQ(rejection_of(401, R"({"errors":[{"code":"40310"}]})").category, RejectionCategory::recipient);
  EXPECT_EQ(rejection_of(403, R"({"errors":[{"code":"20100"}]})").category, RejectionCategory::account);
  EXPECT_EQ(rejection_of(403, R"({"errors":[{"code":"99999"}]})").category, RejectionCategory::auth);
}

TEST(Telnyx, an_error_body_is_proof_only_with_a_code_of_digits) {
  EXPECT_EQ(rejection_of(403, R"({"errors":[{"code":"20100"}]})").proof, Proof::provider_body);
  EXPECT_EQ(rejection_of(403, R"({"errors":[{"code":20100}]})").proof, Proof::provider_body);
  for (const auto* const body :
       {"", "{}", R"({"errors":[]})", R"({"errors":[{"title":"Forbidden"}]})", R"({"errors":[{"code":"FORBIDDEN"}]})",
        R"({"errors":{"code":"20100"}})", R"({"code":"20100"})", R"({"errors":["20100"]})"}) {
    EXPECT_EQ(rejection_of(403, body).proof, Proof::status) << body;
  }
}

TEST(Telnyx, a_code_too_large_for_a_number_is_no_listed_code) {
  const Rejected rejected = rejection_of(422, R"({"errors":[{"code":"99999999999999999999999"}]})");
  EXPECT_EQ(rejected.category, RejectionCategory::request);
  EXPECT_EQ(rejected.proof, Proof::status);
}

TEST(Telnyx, a_429_is_a_rate_limit_only_with_a_code_that_says_so) {
  EXPECT_EQ(rejection_of(429, R"({"errors":[{"code":"10011"}]})", {{"retry-after", "3"}}).retry_after,
            std::chrono::seconds(3));
  for (const auto* const body : {"", R"({"errors":[{"code":"40300"}]})", R"({"errors":[{"code":"10009"}]})"}) {
    EXPECT_TRUE(std::holds_alternative<Unknown>(outcome_of(429, body))) << body;
  }
}

TEST(Telnyx, a_409_proves_nothing_even_with_an_error_body) {
  const auto outcome = outcome_of(409, R"({"errors":[{"code":"10012"}]})");
  ASSERT_TRUE(std::holds_alternative<Unknown>(outcome));
  EXPECT_EQ(std::get<Unknown>(outcome).reason, UnknownReason::unexpected_status);
}

TEST(Telnyx, masks_what_an_error_echoes_of_the_message) {
  const Rejected rejected =
      rejection_of(422, R"({"errors":[{"code":"40322","detail":"918273 to +14155550123 is spam"}]})");
  EXPECT_THAT(*rejected.details.message, Not(HasSubstr("918273")));
  EXPECT_THAT(*rejected.details.message, Not(HasSubstr("4155550123")));
}

}  // namespace
}  // namespace sms::test
