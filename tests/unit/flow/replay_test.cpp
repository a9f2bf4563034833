#include "support/send_fixture.hpp"

namespace sms::tests {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Replay : public SendTest {};

TEST_F(Replay, RepeatedSendMakesNoRequestAndAnswersTheFirstResult) {
  const auto first = client().send(message());
  const auto second = client().send(message());
  EXPECT_EQ(adapter->sent().size(), 1U);
  EXPECT_FALSE(first.replayed);
  EXPECT_TRUE(second.replayed);
  EXPECT_EQ(first.id, second.id);
  EXPECT_EQ(first.provider_id, second.provider_id);
  EXPECT_EQ(first.attempts, second.attempts);
}

TEST_F(Replay, StoredResultIsNotMarkedReplayed) {
  client().send(message());
  const auto record = store->peek("order:1", clock->now());
  EXPECT_FALSE(std::get<AcceptedRecord>(*record).result.replayed);
}

TEST_F(Replay, IdIsTheReservationIdOfTheSend) {
  const auto result = client().send(message());
  EXPECT_EQ(result.id, "sms_" + store->reservation_ids().at(0));
  EXPECT_EQ(result.id.size(), 4U + 32U);
}

TEST_F(Replay, OtherMessageUnderTheKeyIsAConflictThatNamesTheStoredState) {
  client().send(message());
  const auto outcome = client().try_send(message("order:1", "Another text"));
  const auto& error = dynamic_cast<const IdempotencyConflictError&>(outcome.error());
  EXPECT_EQ(error.stored_state(), RecordState::accepted);
  EXPECT_FALSE(error.retry_safe());
  EXPECT_EQ(adapter->sent().size(), 1U);
}

TEST_F(Replay, RejectedMessageIsSentAgain) {
  adapter->push(rejects(RejectionCategory::recipient));
  EXPECT_THROW(client().send(message()), ProviderRejectedError);
  EXPECT_EQ(stored(), RecordState::rejected);
  EXPECT_FALSE(client().send(message()).replayed);
  EXPECT_EQ(adapter->sent().size(), 2U);
  EXPECT_EQ(stored(), RecordState::accepted);
}

TEST_F(Replay, RejectedMessageWithAnotherTextIsAConflict) {
  adapter->push(rejects(RejectionCategory::recipient));
  EXPECT_THROW(client().send(message()), ProviderRejectedError);
  EXPECT_THROW(client().send(message("order:1", "Another text")), IdempotencyConflictError);
}

TEST_F(Replay, UnknownOutcomeIsNeverSentAgain) {
  adapter->push(unknown(UnknownReason::network));
  EXPECT_THROW(client().send(message()), HandoffUnknownError);
  for (int i = 0; i < 3; ++i) {
    clock->advance(std::chrono::hours(1000));
    const auto outcome = client().try_send(message());
    const auto& error = dynamic_cast<const HandoffUnknownError&>(outcome.error());
    EXPECT_EQ(error.reason(), UnknownReason::replayed_unknown);
    EXPECT_EQ(error.attempts().size(), 1U);
    EXPECT_FALSE(error.retry_safe());
  }
  EXPECT_EQ(adapter->sent().size(), 1U);
}

TEST_F(Replay, AcceptedRecordLivesForTtlAndNoLonger) {
  client().send(message());
  clock->advance(24h - 1ms);
  EXPECT_TRUE(client().send(message()).replayed);
  clock->advance(1ms);
  EXPECT_FALSE(client().send(message()).replayed);
}

TEST_F(Replay, ScheduledMessageIsRememberedForTtlAfterItsTime) {
  auto input = message();
  input.send_at = clock->now() + 48h;
  client().send(input);
  clock->advance(48h + 24h - 1ms);
  input.send_at = clock->now() - (24h - 1ms);
  const auto record = store->peek("order:1", clock->now());
  ASSERT_TRUE(record.has_value());
  EXPECT_EQ(state_of(*record), RecordState::accepted);
  clock->advance(1ms);
  EXPECT_EQ(stored(), std::nullopt);
}

TEST_F(Replay, FreshReservationOfAnotherSenderIsInProgressAndSafeToRepeat) {
  reserve_elsewhere("other", message());
  clock->advance(300s);
  const auto outcome = client().try_send(message());
  const auto& error = dynamic_cast<const IdempotencyInProgressError&>(outcome.error());
  EXPECT_TRUE(error.retry_safe());
  EXPECT_EQ(error.since(), clock->now() - 300s);
  EXPECT_TRUE(adapter->sent().empty());
}

TEST_F(Replay, StaleReservationIsUnknownAndStaysAsItIs) {
  reserve_elsewhere("other", message());
  clock->advance(300s + 1ms);
  const auto outcome = client().try_send(message());
  EXPECT_EQ(dynamic_cast<const HandoffUnknownError&>(outcome.error()).reason(), UnknownReason::stale_reservation);
  EXPECT_TRUE(adapter->sent().empty());
  // The true owner still wins.
  finalize_elsewhere("other", "order:1", accepted_record(message(), "late_1"));
  EXPECT_EQ(client().send(message()).provider_id, "late_1");
}

TEST_F(Replay, WithoutAKeyEverySendIsItsOwn) {
  client().send(message(""));
  client().send(message(""));
  EXPECT_EQ(adapter->sent().size(), 2U);
  EXPECT_EQ(store->calls(Operation::reserve), 0);
}

TEST_F(Replay, OldJobIsRefusedBeforeItsKeyCanBeForgotten) {
  SendOptions job;
  job.issued_at = clock->now() - 22h;
  const auto outcome = client().try_send(message(), job);
  EXPECT_EQ(dynamic_cast<const InvalidMessageError&>(outcome.error()).field(), "issuedAt");
  EXPECT_TRUE(adapter->sent().empty());
  job.issued_at = clock->now() - 21h;
  EXPECT_TRUE(client().try_send(message(), job).has_value());
}

TEST_F(Replay, ErrorTextsHoldNeitherBodyNorFullNumber) {
  adapter->push(rejects(RejectionCategory::recipient));
  const auto outcome = client().try_send(message("order:+14155550123", "code 998877"));
  const auto json = outcome.error().to_json();
  EXPECT_THAT(json, Not(HasSubstr("998877")));
  EXPECT_THAT(json, Not(HasSubstr("4155550123")));
}

}  // namespace
}  // namespace sms::tests
