#include <sms/idempotency.hpp>
#include <sms/operator_store.hpp>

#include "unit/core/recorded_message.hpp"

#include <gtest/gtest.h>

namespace {

using namespace sms;

std::string round_trip(const std::string& text) {
  const auto record = parse_record(text);
  return record ? to_json(*record) : "unreadable: " + std::string(record.error().what());
}

TEST(Record, OfTheTypeScriptSdkIsWrittenBackByteForByte) {
  int compared = 0;
  for (const auto& test : tests::recorded("records.json").cases) {
    SCOPED_TRACE(test.name);
    const std::string text(test.output.at("recordJson").as_string());
    const auto record = parse_record(text);
    ASSERT_TRUE(record);
    EXPECT_EQ(to_json(*record), text);
    if (const auto* accepted = std::get_if<AcceptedRecord>(&*record)) {
      EXPECT_EQ(accepted->result.to_json(), test.output.at("resultJson").as_string());
      EXPECT_TRUE(accepted->result.foreign.empty());
    }
    ++compared;
  }
  EXPECT_EQ(compared, 27);
}

TEST(Record, IsReadIntoItsFields) {
  const auto record = parse_record(
      R"({"state":"unknown","fingerprint":"f","error":{"name":"HandoffUnknownError","code":"handoff_unknown","message":"m",)"
      R"("retrySafe":false,"attempts":[{"provider":"twilio","attempt":1,"outcome":"rejected","category":"rate_limited",)"
      R"("httpStatus":429,"providerCode":"20429","retryAfterMs":1000,"durationMs":7},{"provider":"twilio","attempt":2,)"
      R"("outcome":"unknown","reason":"server_error","httpStatus":503,"durationMs":9}],)"
      R"("provider":{"provider":"twilio","httpStatus":503,"requestId":"RQ1"}}})");
  ASSERT_TRUE(record);
  EXPECT_EQ(state_of(*record), RecordState::unknown);
  EXPECT_EQ(fingerprint_of(*record), "f");
  const SerializedError& error = std::get<UnknownRecord>(*record).error;
  ASSERT_EQ(error.attempts.size(), 2U);
  const auto& rejected = std::get<Attempt::Rejected>(error.attempts[0].outcome);
  EXPECT_EQ(rejected.category, RejectionCategory::rate_limited);
  EXPECT_EQ(rejected.retry_after, std::chrono::milliseconds(1000));
  EXPECT_EQ(error.attempts[1].attempt, 2);
  EXPECT_EQ(std::get<Attempt::Unknown>(error.attempts[1].outcome).reason, UnknownReason::server_error);
  EXPECT_EQ(error.attempts[1].duration, std::chrono::milliseconds(9));
  EXPECT_EQ(error.provider->request_id, "RQ1");
  EXPECT_TRUE(error.foreign.empty());
}

TEST(Record, KeepsThePostingMark) {
  const std::string text = R"({"state":"reserved","fingerprint":"f","reservationId":"r","reservedAt":1796039700750,)"
                           R"("posting":{"provider":"twilio","attempt":2,"at":1796039700800}})";
  const auto record = parse_record(text);
  ASSERT_TRUE(record);
  EXPECT_EQ(std::get<ReservedRecord>(*record).posting->attempt, 2);
  EXPECT_EQ(to_json(*record), text);
}

TEST(Record, KeepsWhatANewerVersionWrote) {
  for (
      const char* text :
      {R"({"state":"accepted","fingerprint":"f","result":{"id":"sms_1","provider":"p","providerId":"x","handoff":"accepted",)"
       R"("delivery":"read_by_human","encoding":"gsm9","segments":1.5,"attemptedProviders":["p",7],"attempts":[],"replayed":false,)"
       R"("cost":{"amount":1.50,"currency":"EUR"},"tags":["a","b",null]},"region":"eu"})",
       R"({"state":"rejected","fingerprint":"f","error":{"name":"QuotaError","code":"quota","message":"m","retrySafe":true,"attempts":[)"
       R"({"provider":"p","attempt":1,"outcome":"rejected","category":"quota","httpStatus":400,"durationMs":1,"trace":"t"}],)"
       R"("provider":{"provider":"p","httpStatus":"4xx","hint":[1e+21,1e-7]}}})",
       R"({"state":"unknown","fingerprint":"f","error":{"name":"HandoffUnknownError","code":"handoff_unknown","message":"m",)"
       R"("retrySafe":false,"attempts":[{"provider":"p","attempt":1,"outcome":"deferred","until":5,"durationMs":1}]}})",
       R"({"state":"reserved","fingerprint":"f","reservationId":"00000000-0000-4000-8000-000000000001","reservedAt":1,"posting":"?"})"}) {
    std::string expected = text;
    if (const auto at = expected.find("1.50"); at != std::string::npos) expected.erase(at + 3, 1);
    EXPECT_EQ(round_trip(text), expected);
  }
}

TEST(Record, IsWrittenInTheOrderOfTheContractHoweverItWasRead) {
  EXPECT_EQ(round_trip(R"({"reservedAt":5,"new":1,"reservationId":"r","fingerprint":"f","state":"reserved"})"),
            R"({"state":"reserved","fingerprint":"f","reservationId":"r","reservedAt":5,"new":1})");
}

TEST(Record, ThatCannotBeReadIsAnErrorAndNeverAbsent) {
  for (const char* text : {"", "null", "[]", "{", "{}", R"({"state":"archived","fingerprint":"f"})",
                           R"({"state":"reserved"})", R"({"state":"reserved","fingerprint":"f","reservationId":"r"})",
                           R"({"state":"reserved","fingerprint":"f","reservationId":"r","reservedAt":"soon"})",
                           R"({"state":"reserved","fingerprint":7,"reservationId":"r","reservedAt":1})",
                           R"({"state":"accepted","fingerprint":"f"})",
                           R"({"state":"accepted","fingerprint":"f","result":{"id":"sms_1","provider":"p"}})",
                           R"({"state":"rejected","fingerprint":"f","error":null})",
                           R"({"state":"rejected","fingerprint":"f","error":{"name":"x"}})"}) {
    const auto record = parse_record(text);
    ASSERT_FALSE(record) << text;
    EXPECT_EQ(record.error().code(), ErrorCode::store_unavailable);
    EXPECT_EQ(std::string(record.error().what()).find("sms_1"), std::string::npos);
  }
}

TEST(Record, WithATextCutInsideACharacterIsStillRead) {
  const auto record = parse_record(
      R"({"state":"rejected","fingerprint":"f","error":{"name":"ProviderRejectedError","code":"provider_rejected","message":"cut \ud83d"}})");
  ASSERT_TRUE(record);
  EXPECT_EQ(std::get<RejectedRecord>(*record).error.message, "cut \uFFFD");
}

TEST(Record, OfAFinalKindIsTheSameRecord) {
  const FinalIdempotencyRecord final_record = RejectedRecord{.fingerprint = "f", .error = SerializedError{}};
  EXPECT_EQ(to_json(to_record(final_record)), to_json(final_record));
  EXPECT_EQ(state_of(final_record), RecordState::rejected);
  EXPECT_EQ(fingerprint_of(final_record), "f");
}

TEST(ResolvedRecord, KeepsTheAttemptsAndTheFingerprint) {
  Attempt attempt;
  attempt.provider = "twilio";
  const IdempotencyRecord before = UnknownRecord{
      .fingerprint = "f", .error = HandoffUnknownError(UnknownReason::network).with_attempts({attempt})->serialize()};
  const AcceptedRecord record = resolved_record(before, "telnyx", "tx-1", "sms_new");
  EXPECT_EQ(record.fingerprint, "f");
  EXPECT_EQ(record.result.id, "sms_new");
  EXPECT_EQ(record.result.provider_id, "tx-1");
  EXPECT_EQ(record.result.delivery, Delivery::unknown);
  EXPECT_EQ(record.result.segments, 0);
  EXPECT_EQ(record.result.attempts.size(), 1U);
  EXPECT_EQ(record.result.attempted_providers, (std::vector<std::string>{"twilio", "telnyx"}));
}

TEST(ResolvedRecord, KeepsAnIdThatTheRecordHad) {
  AcceptedRecord before;
  before.result.id = "sms_old";
  EXPECT_EQ(resolved_record(before, "twilio", "SM1", "sms_new").result.id, "sms_old");
}

}  // namespace
