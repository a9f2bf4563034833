#include "support/send_fixture.hpp"

namespace sms::tests {
namespace {

class Coalescing : public SendTest {
 protected:
  static SendOptions stopped_by(std::stop_source& stop) {
    SendOptions cancellable;
    cancellable.stop = stop.get_token();
    return cancellable;
  }
};

TEST_F(Coalescing, ConcurrentSendsOfOneKeyShareOneRequest) {
  adapter->push(hangs());
  const auto first = start(message());
  const auto second = start(message());
  const auto third = start(message());
  adapter->release_hung();
  EXPECT_EQ(adapter->sent().size(), 1U);
  EXPECT_FALSE(first->result().replayed);
  EXPECT_TRUE(second->result().replayed);
  EXPECT_TRUE(third->result().replayed);
  EXPECT_EQ(first->result().id, third->result().id);
  EXPECT_EQ(store->calls(Operation::reserve), 1);
}

TEST_F(Coalescing, WorksWithoutAStoreAndRemembersNothing) {
  options.idempotency = std::nullopt;
  adapter->push(hangs());
  const auto first = start(message());
  const auto second = start(message());
  adapter->release_hung();
  EXPECT_TRUE(second->result().replayed);
  EXPECT_FALSE(start(message())->result().replayed);
  EXPECT_EQ(adapter->sent().size(), 2U);
}

TEST_F(Coalescing, ErrorsAreSharedToo) {
  adapter->push(hangs(Unknown{UnknownReason::network, {}}));
  const auto first = start(message());
  const auto second = start(message());
  adapter->release_hung();
  EXPECT_EQ(first->error().code(), ErrorCode::handoff_unknown);
  EXPECT_EQ(second->error().code(), ErrorCode::handoff_unknown);
}

TEST_F(Coalescing, OtherMessageInFlightIsAConflict) {
  adapter->push(hangs());
  const auto first = start(message());
  EXPECT_EQ(start(message("order:1", "Another text"))->as<IdempotencyConflictError>().stored_state(),
            RecordState::reserved);
  adapter->release_hung();
  EXPECT_TRUE(first->accepted());
}

TEST_F(Coalescing, CallerThatCancelsLeavesTheOthersSending) {
  adapter->push(hangs());
  std::stop_source stop;
  const auto first = start(message(), stopped_by(stop));
  const auto second = start(message());
  stop.request_stop();
  EXPECT_EQ(first->error().code(), ErrorCode::idempotency_in_progress);
  EXPECT_TRUE(second->pending());
  adapter->release_hung();
  EXPECT_TRUE(second->accepted());
  EXPECT_EQ(first->times, 1);
}

TEST_F(Coalescing, CallerThatCancelsWithoutAStoreIsToldUnknown) {
  options.idempotency = std::nullopt;
  adapter->push(hangs());
  std::stop_source stop;
  const auto first = start(message(), stopped_by(stop));
  const auto second = start(message());
  stop.request_stop();
  EXPECT_EQ(first->as<HandoffUnknownError>().reason(), UnknownReason::aborted);
  adapter->release_hung();
  EXPECT_TRUE(second->accepted());
}

TEST_F(Coalescing, LastCallerToLeaveCancelsTheSend) {
  adapter->push(hangs());
  std::stop_source first_stop;
  std::stop_source second_stop;
  const auto first = start(message(), stopped_by(first_stop));
  const auto second = start(message(), stopped_by(second_stop));
  first_stop.request_stop();
  second_stop.request_stop();
  EXPECT_EQ(second->as<HandoffUnknownError>().reason(), UnknownReason::aborted);
  EXPECT_EQ(stored(), RecordState::unknown);
}

TEST_F(Coalescing, SendThatIsBeingCancelledTakesNoJoiner) {
  adapter->push(hangs());
  store->next(Operation::finalize, Fault::hold);
  std::stop_source stop;
  const auto first = start(message(), stopped_by(stop));
  stop.request_stop();
  const auto newcomer = start(message());
  const auto another = start(message());
  EXPECT_TRUE(newcomer->pending());
  store->release();
  EXPECT_EQ(first->as<HandoffUnknownError>().reason(), UnknownReason::aborted);
  EXPECT_EQ(newcomer->as<HandoffUnknownError>().reason(), UnknownReason::replayed_unknown);
  EXPECT_EQ(another->as<HandoffUnknownError>().reason(), UnknownReason::replayed_unknown);
  EXPECT_EQ(adapter->sent().size(), 1U);
}

TEST_F(Coalescing, NewcomerOfACancelledRejectionSendsItsOwn) {
  adapter->push(rejects(RejectionCategory::rate_limited, Proof::provider_body, 5s));
  store->next(Operation::finalize, Fault::hold);
  std::stop_source stop;
  const auto first = start(message(), stopped_by(stop));
  stop.request_stop();
  const auto newcomer = start(message());
  store->release();
  EXPECT_EQ(first->error().code(), ErrorCode::aborted);
  EXPECT_TRUE(newcomer->accepted());
  EXPECT_EQ(adapter->sent().size(), 2U);
}

TEST_F(Coalescing, NewcomerThatIsCancelledWhileItWaitsIsToldThatTheKeyIsInProgress) {
  adapter->push(hangs());
  store->next(Operation::finalize, Fault::hold);
  std::stop_source first_stop;
  std::stop_source newcomer_stop;
  start(message(), stopped_by(first_stop));
  first_stop.request_stop();
  const auto newcomer = start(message(), stopped_by(newcomer_stop));
  newcomer_stop.request_stop();
  store->release();
  EXPECT_EQ(newcomer->error().code(), ErrorCode::idempotency_in_progress);
  EXPECT_EQ(stored(), RecordState::unknown);
}

TEST_F(Coalescing, TheLatestDeadlineCounts) {
  adapter->push(rejects(RejectionCategory::rate_limited, Proof::provider_body, 5s));
  SendOptions soon;
  soon.deadline = std::chrono::steady_clock::now() + 2s;
  const auto hurried = start(message(), soon);
  const auto patient = start(message());
  clock->advance(5s);
  EXPECT_TRUE(patient->accepted());
  EXPECT_TRUE(hurried->accepted());
}

class Waiting : public SendTest {
 protected:
  static SendOptions patient(std::chrono::milliseconds up_to) {
    SendOptions waiting;
    waiting.in_progress = InProgress::wait(up_to);
    return waiting;
  }
};

TEST_F(Waiting, ReplaysWhatTheOtherSenderAchieved) {
  reserve_elsewhere("other", message());
  const auto answer = start(message(), patient(10s));
  clock->advance(2s);
  EXPECT_TRUE(answer->pending());
  finalize_elsewhere("other", "order:1", accepted_record(message(), "theirs"));
  clock->advance(1s);
  EXPECT_EQ(answer->result().provider_id, "theirs");
  EXPECT_TRUE(answer->result().replayed);
  EXPECT_TRUE(adapter->sent().empty());
}

TEST_F(Waiting, SendsItselfAfterTheOthersRejection) {
  reserve_elsewhere("other", message());
  const auto answer = start(message(), patient(10s));
  RejectedRecord rejected;
  rejected.fingerprint = fingerprint(message(), options.adapters);
  rejected.error = SendAbortedError("test").serialize();
  finalize_elsewhere("other", "order:1", rejected);
  clock->advance(1s);
  EXPECT_TRUE(answer->accepted());
  EXPECT_FALSE(answer->result().replayed);
}

TEST_F(Waiting, SendsItselfWhenTheRecordIsGone) {
  reserve_elsewhere("other", message());
  const auto answer = start(message(), patient(10s));
  store->inner().erase("order:1");
  clock->advance(1s);
  EXPECT_TRUE(answer->accepted());
}

TEST_F(Waiting, EndsInProgressWhenTheTimeIsUp) {
  reserve_elsewhere("other", message());
  const auto answer = start(message(), patient(10s));
  clock->advance(10s - 1ms);
  EXPECT_TRUE(answer->pending());
  clock->advance(1ms);
  EXPECT_EQ(answer->error().code(), ErrorCode::idempotency_in_progress);
  EXPECT_EQ(clock->pending(), 0U);
}

TEST_F(Waiting, GoesOnWithAnotherOwnerWithinTheSameTime) {
  reserve_elsewhere("other", message());
  const auto answer = start(message(), patient(10s));
  clock->advance(5s);
  store->inner().erase("order:1");
  reserve_elsewhere("third", message());
  clock->advance(5s - 1ms);
  EXPECT_TRUE(answer->pending());
  clock->advance(1ms);
  EXPECT_EQ(answer->error().code(), ErrorCode::idempotency_in_progress);
}

TEST_F(Waiting, UnknownOrStaleMeanwhileIsUnknown) {
  reserve_elsewhere("other", message());
  const auto answer = start(message(), patient(400s));
  clock->advance(302s);
  EXPECT_EQ(answer->as<HandoffUnknownError>().reason(), UnknownReason::stale_reservation);

  reserve_elsewhere("other", message("order:2"));
  const auto second = start(message("order:2"), patient(400s));
  UnknownRecord unknown;
  unknown.fingerprint = fingerprint(message("order:2"), options.adapters);
  unknown.error = HandoffUnknownError(UnknownReason::network).serialize();
  finalize_elsewhere("other", "order:2", unknown);
  clock->advance(1s);
  EXPECT_EQ(second->as<HandoffUnknownError>().reason(), UnknownReason::replayed_unknown);
}

TEST_F(Waiting, CancelledWhileWaitingIsInProgressNeverAborted) {
  reserve_elsewhere("other", message());
  std::stop_source stop;
  auto waiting = patient(10s);
  waiting.stop = stop.get_token();
  const auto answer = start(message(), waiting);
  stop.request_stop();
  EXPECT_EQ(answer->error().code(), ErrorCode::idempotency_in_progress);
}

TEST_F(Waiting, EachCallerHasItsOwnPatience) {
  reserve_elsewhere("other", message());
  const auto patient_one = start(message(), patient(10s));
  const auto impatient = start(message());
  clock->advance(1s);
  EXPECT_EQ(impatient->error().code(), ErrorCode::idempotency_in_progress);
  EXPECT_TRUE(patient_one->pending());
  finalize_elsewhere("other", "order:1", accepted_record(message(), "theirs"));
  clock->advance(2s);
  EXPECT_EQ(patient_one->result().provider_id, "theirs");
}

TEST_F(Waiting, StoreThatFailsMeanwhileOnlyProlongsTheWait) {
  reserve_elsewhere("other", message());
  const auto answer = start(message(), patient(10s));
  store->always(Operation::get, Fault::fail);
  clock->advance(3s);
  EXPECT_TRUE(answer->pending());
  store->always(Operation::get, Fault::none);
  finalize_elsewhere("other", "order:1", accepted_record(message(), "theirs"));
  clock->advance(2s);
  EXPECT_TRUE(answer->accepted());
}

}  // namespace
}  // namespace sms::tests
