#include <sms/expected.hpp>

#include <gtest/gtest.h>

namespace {

using namespace sms;

Rejected rejection(RejectionCategory category, Proof proof = Proof::provider_body) {
  Rejected rejected;
  rejected.category = category;
  rejected.proof = proof;
  rejected.details.provider = "twilio";
  rejected.details.http_status = 400;
  rejected.details.code = "21606";
  return rejected;
}

TEST(Error, MasksPhoneNumbersInItsText) {
  const ConfigurationError error("no route to +14155550123");
  EXPECT_EQ(std::string(error.what()), "no route to +1********23");
}

TEST(Error, IsSerialisedInTheOrderOfTheContract) {
  const auto error = make_rejected_error(rejection(RejectionCategory::sender));
  const char* const expected =
      R"x({"name":"ProviderRejectedError","code":"provider_rejected",)x"
      R"x("message":"Rejected by twilio (sender, HTTP 400, code 21606)","retrySafe":true,"attempts":[],)x"
      R"x("provider":{"provider":"twilio","httpStatus":400,"code":"21606"}})x";
  EXPECT_EQ(error->to_json(), expected);
}

TEST(Error, IsRaisedAsItsOwnClass) {
  const std::shared_ptr<const Error> error = make_rejected_error(rejection(RejectionCategory::auth));
  EXPECT_THROW(error->raise(), ProviderAuthError);
  EXPECT_THROW(error->raise(), ProviderRejectedError);
  const Expected<int> failed(error);
  EXPECT_THROW(failed.value(), ProviderAuthError);
}

TEST(Error, IsCopiedWithItsAttemptsAsItsOwnClass) {
  Attempt attempt;
  attempt.provider = "twilio";
  const ProviderRateLimitedError error(rejection(RejectionCategory::rate_limited));
  const std::shared_ptr<Error> copy = error.with_attempts({attempt});
  EXPECT_EQ(copy->name(), "ProviderRateLimitedError");
  EXPECT_EQ(copy->attempts().size(), 1U);
  EXPECT_TRUE(error.attempts().empty());
}

TEST(Error, SaysForEveryClassWhetherTheSameKeyMayBeSentAgain) {
  const auto rejected = rejection(RejectionCategory::request);
  EXPECT_TRUE(ConfigurationError("x").retry_safe());
  EXPECT_TRUE(InvalidRecipientError("x").retry_safe());
  EXPECT_TRUE(InvalidSenderError("x", {}).retry_safe());
  EXPECT_TRUE(InvalidMessageError("x", "body").retry_safe());
  EXPECT_TRUE(UnsupportedFieldError("x", "sendAt", "twilio").retry_safe());
  EXPECT_TRUE(PolicyRejectedError("no").retry_safe());
  EXPECT_TRUE(make_rejected_error(rejected)->retry_safe());
  EXPECT_TRUE(AllProvidersRejectedError({make_rejected_error(rejected)}).retry_safe());
  EXPECT_FALSE(HandoffUnknownError(UnknownReason::network).retry_safe());
  EXPECT_TRUE(SendAbortedError("x").retry_safe());
  EXPECT_FALSE(IdempotencyConflictError("k", RecordState::accepted).retry_safe());
  EXPECT_TRUE(IdempotencyInProgressError("k", WallTime{}).retry_safe());
  EXPECT_TRUE(StoreUnavailableError("reserve", "down").retry_safe());
  EXPECT_FALSE(WebhookSignatureError(SignatureFault::invalid_signature, "twilio").retry_safe());
  EXPECT_FALSE(WebhookPayloadError("x", "twilio").retry_safe());
}

TEST(Error, OfARejectionIsOfTheClassOfItsCategory) {
  EXPECT_EQ(make_rejected_error(rejection(RejectionCategory::auth))->name(), "ProviderAuthError");
  EXPECT_EQ(make_rejected_error(rejection(RejectionCategory::rate_limited))->name(), "ProviderRateLimitedError");
  EXPECT_EQ(make_rejected_error(rejection(RejectionCategory::unreachable))->name(), "ProviderUnreachableError");
  EXPECT_EQ(make_rejected_error(rejection(RejectionCategory::compliance))->name(), "ProviderRejectedError");
}

TEST(Fallback, NeedsACategoryAboutTheProviderAndMoreProofThanAStatus) {
  for (const auto category : {RejectionCategory::auth, RejectionCategory::rate_limited, RejectionCategory::sender,
                              RejectionCategory::account, RejectionCategory::unreachable}) {
    EXPECT_TRUE(make_rejected_error(rejection(category, Proof::provider_body))->fallback_eligible());
    EXPECT_TRUE(make_rejected_error(rejection(category, Proof::transport))->fallback_eligible());
    EXPECT_FALSE(make_rejected_error(rejection(category, Proof::status))->fallback_eligible());
  }
  for (const auto category :
       {RejectionCategory::recipient, RejectionCategory::compliance, RejectionCategory::request}) {
    EXPECT_FALSE(make_rejected_error(rejection(category))->fallback_eligible());
  }
}

TEST(ConflictError, WarnsOfANewKeyWhereTheFirstMessageMayExist) {
  const auto text = [](RecordState state) { return std::string(IdempotencyConflictError("k", state).what()); };
  const std::string warning = "A new key may send a second message.";
  EXPECT_NE(text(RecordState::unknown).find(warning), std::string::npos);
  EXPECT_NE(text(RecordState::reserved).find(warning), std::string::npos);
  EXPECT_EQ(text(RecordState::accepted).find(warning), std::string::npos);
  EXPECT_NE(text(RecordState::rejected).find("rejected"), std::string::npos);
}

TEST(PolicyRejectedError, KeepsThePolicysWordsToItself) {
  const PolicyRejectedError error("Jane at +14155550123 opted out");
  EXPECT_EQ(error.reason(), "Jane at +14155550123 opted out");
  EXPECT_EQ(error.to_json().find("Jane"), std::string::npos);
}

TEST(AllProvidersRejectedError, CarriesTheAttemptsOfAllItsErrors) {
  Attempt first, second;
  first.provider = "twilio";
  second.provider = "telnyx";
  const auto with = [](RejectionCategory category, Attempt attempt) {
    const auto error = ProviderRejectedError(rejection(category)).with_attempts({std::move(attempt)});
    return std::dynamic_pointer_cast<const ProviderRejectedError>(std::shared_ptr<const Error>(error));
  };
  const AllProvidersRejectedError error(
      {with(RejectionCategory::sender, first), with(RejectionCategory::recipient, second)});
  ASSERT_EQ(error.attempts().size(), 2U);
  EXPECT_EQ(error.attempts()[1].provider, "telnyx");
}

TEST(Error, TextsOfUnknownOutcomesFitTheLimitOfLogs) {
  for (int i = 0; !to_string(static_cast<UnknownReason>(i)).empty(); ++i) {
    const std::string text = HandoffUnknownError(static_cast<UnknownReason>(i)).what();
    EXPECT_TRUE(text.ends_with("new key.")) << text;
  }
}

}  // namespace
