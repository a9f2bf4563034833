#include "core/validation_rules.hpp"
#include "unit/core/recorded_adapters.hpp"

#include <gtest/gtest.h>

namespace {

using namespace sms;

constexpr WallTime now{std::chrono::milliseconds(1'796'040'000'000)};

std::vector<std::pair<IssueCode, std::string>> issues_of(const SendInput& input) {
  std::vector<std::pair<IssueCode, std::string>> out;
  for (const auto& issue : detail::message_issues(input, now)) {
    EXPECT_FALSE(issue.provider);
    out.emplace_back(issue.code, issue.field);
  }
  return out;
}

SendInput good() { return {.to = "+14155550123", .body = "hi"}; }
using Issues = std::vector<std::pair<IssueCode, std::string>>;

TEST(MessageRules, RefuseWhatIsNotUtf8) {
  auto input = good();
  input.body = "caf\xE9";
  EXPECT_EQ(issues_of(input), (Issues{{IssueCode::invalid_field, "body"}}));
  input = good();
  input.idempotency_key = "k\xFF";
  EXPECT_EQ(issues_of(input), (Issues{{IssueCode::invalid_field, "idempotencyKey"}}));
  input = good();
  input.media_urls = {"https://m.example/\xC3"};
  input.webhook_url = "https://w.example/\xC3";
  EXPECT_EQ(issues_of(input),
            (Issues{{IssueCode::invalid_field, "mediaUrls"}, {IssueCode::invalid_field, "webhookUrl"}}));
}

TEST(MessageRules, RefuseATimeThatIsNotInTheFuture) {
  auto input = good();
  input.send_at = now;
  EXPECT_EQ(issues_of(input), (Issues{{IssueCode::invalid_field, "sendAt"}}));
  input.send_at = now + std::chrono::milliseconds(1);
  EXPECT_TRUE(issues_of(input).empty());
  input.send_at = WallTime::max();
  EXPECT_EQ(issues_of(input), (Issues{{IssueCode::invalid_field, "sendAt"}}));
}

TEST(MessageRules, CountTheKeyInUtf16UnitsAndRefuseControlCharacters) {
  auto input = good();
  input.idempotency_key = std::string(255, 'k');
  EXPECT_TRUE(issues_of(input).empty());
  for (const std::string& key : {std::string(), std::string(256, 'k'), std::string("a\nb"), std::string(1, '\0')}) {
    input.idempotency_key = key;
    EXPECT_EQ(issues_of(input), (Issues{{IssueCode::invalid_field, "idempotencyKey"}}));
  }
}

TEST(MessageRules, NameTheFieldAndTheRuleButNeverTheValue) {
  SendInput input{.to = "+1 415 secret", .body = ""};
  input.webhook_url = "secret";
  input.media_urls = {"secret"};
  input.idempotency_key = "secret\n";
  const auto issues = detail::message_issues(input, now);
  EXPECT_EQ(issues.size(), 4U);
  for (const auto& issue : issues) {
    EXPECT_EQ(issue.message.find("secret"), std::string::npos) << issue.message;
    EXPECT_NE(issue.message.find(issue.field), std::string::npos) << issue.message;
  }
}

TEST(FirstError, PutsOptionsOfAnyAdapterBeforeWhatThePrimaryMinds) {
  const auto adapters = tests::recorded_adapters({"twilio-nofrom", "telnyx"});
  auto input = good();
  EXPECT_EQ(detail::first_error(input, adapters, now)->name(), "InvalidSenderError");
  input.provider_options["telnyx"].set("noSuchOption", 1);
  EXPECT_EQ(detail::first_error(input, adapters, now)->name(), "UnsupportedFieldError");
  input.to = "";
  EXPECT_EQ(detail::first_error(input, adapters, now)->name(), "InvalidRecipientError");
}

TEST(FirstError, IsNullWhenOnlyASecondaryAdapterMinds) {
  const auto adapters = tests::recorded_adapters({"telnyx", "twilio-nofrom"});
  EXPECT_EQ(detail::first_error(good(), adapters, now), nullptr);
}

}  // namespace
