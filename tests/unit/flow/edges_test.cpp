#include "support/send_fixture.hpp"

namespace sms::tests {
namespace {

using Reason = AttemptGate::Reason;

/// An adapter whose attempt is stepped by hand: it waits for a slot, begins, commits, answers.
class SteppedAdapter final : public Adapter {
 public:
  SteppedAdapter() {
    info_.name = "stepped";
    info_.provider = "stepped";
    info_.default_sender = From{std::string("+15550100001")};
  }
  const AdapterInfo& info() const override { return info_; }
  bool commits() const override { return true; }
  void send(AdapterMessage, SendContext context, Callback<AdapterOutcome> done) override {
    gate = context.gate;
    done_ = std::move(done);
    ++calls;
  }
  void answer(AdapterOutcome outcome) { std::exchange(done_, {})(std::move(outcome)); }
  void forget() {
    done_ = {};
    gate = nullptr;
  }

  std::shared_ptr<AttemptGate> gate;
  int calls = 0;

 private:
  AdapterInfo info_;
  Callback<AdapterOutcome> done_;
};

Rejected refusal(RejectionCategory category) {
  Rejected rejected;
  rejected.category = category;
  rejected.details.provider = "stepped";
  return rejected;
}

class Edges : public SendTest {
 protected:
  Edges() { options.adapters = {stepped}; }
  ~Edges() override { stepped->forget(); }
  std::shared_ptr<SteppedAdapter> stepped = std::make_shared<SteppedAdapter>();
};

// The switch of an attempt.

TEST_F(Edges, NoSlotInTimeIsUnreachable) {
  const auto answer = start(message());
  clock->advance(5s);
  EXPECT_EQ(answer->error().code(), ErrorCode::provider_unreachable);
  EXPECT_EQ(stepped->gate->reason(), Reason::queue_timeout);
  EXPECT_FALSE(stepped->gate->commit());
  EXPECT_EQ(stored(), RecordState::rejected);
}

TEST_F(Edges, TimeOutBeforeTheConnectionStandsIsUnreachableAndNothingLeavesLater) {
  const auto answer = start(message());
  clock->advance(4s);
  stepped->gate->started();
  clock->advance(10s);
  EXPECT_EQ(answer->error().code(), ErrorCode::provider_unreachable);
  EXPECT_FALSE(stepped->gate->commit());
}

TEST_F(Edges, WaitingForASlotDoesNotShortenTheAttempt) {
  const auto answer = start(message());
  clock->advance(4s);
  stepped->gate->started();
  ASSERT_TRUE(stepped->gate->commit());
  clock->advance(10s - 1ms);
  EXPECT_TRUE(answer->pending());
  clock->advance(1ms);
  EXPECT_EQ(answer->as<HandoffUnknownError>().reason(), UnknownReason::timeout);
}

TEST_F(Edges, CancelledBeforeTheCommitIsAborted) {
  std::stop_source stop;
  SendOptions cancellable;
  cancellable.stop = stop.get_token();
  const auto answer = start(message(), cancellable);
  stepped->gate->started();
  stop.request_stop();
  EXPECT_EQ(answer->error().code(), ErrorCode::aborted);
  EXPECT_FALSE(stepped->gate->commit());
  EXPECT_EQ(stored(), RecordState::rejected);
}

TEST_F(Edges, CancelledAfterTheCommitIsUnknown) {
  std::stop_source stop;
  SendOptions cancellable;
  cancellable.stop = stop.get_token();
  const auto answer = start(message(), cancellable);
  stepped->gate->started();
  ASSERT_TRUE(stepped->gate->commit());
  stop.request_stop();
  EXPECT_EQ(answer->as<HandoffUnknownError>().reason(), UnknownReason::aborted);
  EXPECT_EQ(stored(), RecordState::unknown);
}

TEST_F(Edges, DeadlinePassedInTheQueueSendsNothing) {
  SendOptions soon;
  soon.deadline = std::chrono::steady_clock::now() + 2s;
  const auto answer = start(message(), soon);
  clock->advance(2s);
  EXPECT_EQ(answer->error().code(), ErrorCode::aborted);
  EXPECT_FALSE(stepped->gate->commit());
}

TEST_F(Edges, ReservationTooOldAtTheCommitIsNotSent) {
  // Two attempts of a slow provider use up the age; the process then stands still between its claim and the commit.
  options.idempotency->stale_reservation = 61s;
  options.retry.max_attempts = 1;
  options.policy_timeout = 30s;
  options.before_send = [](const PolicyContext&) { return Allow{}; };
  const auto answer = start(message());
  clock->advance(29s);
  executor->run();
  stepped->gate->started();
  clock->advance(9s);
  EXPECT_TRUE(answer->pending());
  clock->sleep(20s);
  EXPECT_FALSE(stepped->gate->commit());
  EXPECT_EQ(stepped->gate->reason(), Reason::reservation_age);
  stepped->answer(refusal(RejectionCategory::unreachable));
  EXPECT_EQ(answer->error().code(), ErrorCode::aborted);
  EXPECT_TRUE(answer->error().retry_safe());
  EXPECT_EQ(stored(), RecordState::rejected);
}

// Late answers.

TEST_F(Edges, AnswerAfterTheTimeOutSettlesItsOwnUnknown) {
  std::vector<LateOutcomeEvent> events;
  options.hooks.on_late_outcome = [&](const LateOutcomeEvent& event) { events.push_back(event); };
  const auto answer = start(message());
  stepped->gate->started();
  ASSERT_TRUE(stepped->gate->commit());
  clock->advance(10s);
  EXPECT_EQ(answer->as<HandoffUnknownError>().reason(), UnknownReason::timeout);
  EXPECT_EQ(stored(), RecordState::unknown);

  clock->advance(3s);
  stepped->answer(Accepted{"msg_1", Delivery::queued});
  EXPECT_EQ(stored(), RecordState::accepted);
  EXPECT_TRUE(client().send(message()).replayed);
  EXPECT_EQ(stepped->calls, 1);
  executor->run();
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].result->provider_id, "msg_1");
  EXPECT_EQ(client().counters().late_outcomes, 1U);
}

TEST_F(Edges, LateRejectionFreesTheKey) {
  const auto answer = start(message());
  stepped->gate->started();
  ASSERT_TRUE(stepped->gate->commit());
  clock->advance(10s);
  stepped->answer(refusal(RejectionCategory::recipient));
  EXPECT_EQ(stored(), RecordState::rejected);
}

TEST_F(Edges, LateAnswerWithoutProofChangesNothing) {
  start(message());
  stepped->gate->started();
  ASSERT_TRUE(stepped->gate->commit());
  clock->advance(10s);
  stepped->answer(Unknown{UnknownReason::network, {}});
  EXPECT_EQ(stored(), RecordState::unknown);
}

TEST_F(Edges, AnswerWhileTheUnknownIsStillBeingWrittenSettlesItAfterwards) {
  store->next(Operation::finalize, Fault::hold);
  std::vector<StoreErrorEvent> errors;
  options.hooks.on_store_error = [&](const StoreErrorEvent& event) { errors.push_back(event); };
  const auto answer = start(message());
  stepped->gate->started();
  ASSERT_TRUE(stepped->gate->commit());
  clock->advance(10s);
  EXPECT_TRUE(answer->pending());
  stepped->answer(Accepted{"msg_1", Delivery::queued});
  store->release();
  EXPECT_EQ(answer->as<HandoffUnknownError>().reason(), UnknownReason::timeout);
  EXPECT_EQ(stored(), RecordState::accepted);
  executor->run();
  EXPECT_TRUE(errors.empty());
}

TEST_F(Edges, AnOutcomeIsAnsweredWithinItsBoundHoweverManyCallsOfTheStoreAreSlow) {
  store->always(Operation::get, Fault::hang);
  const auto answer = start(message());
  store->always(Operation::finalize, Fault::hold);
  store->inner().erase("order:1");
  stepped->gate->started();
  ASSERT_TRUE(stepped->gate->commit());
  stepped->answer(Accepted{"msg_1", Delivery::queued});
  for (int second = 0; second < 10; ++second) {
    EXPECT_TRUE(answer->pending());
    clock->advance(900ms);
    store->release();
    clock->advance(100ms);
  }
  EXPECT_TRUE(answer->accepted());
}

TEST_F(Edges, AClaimThatIsExecutedAfterItWasGivenBackIsGivenBackAgain) {
  store->next(Operation::reserve, Fault::lose_reply);
  store->next(Operation::reserve, Fault::hold);
  const auto answer = start(message());
  clock->advance(5s);
  EXPECT_EQ(answer->error().code(), ErrorCode::store_unavailable);
  EXPECT_EQ(stored(), RecordState::rejected);
  store->release();
  EXPECT_EQ(stored(), RecordState::reserved) << "the packet that was late";
  clock->advance(5s);
  EXPECT_EQ(stored(), RecordState::rejected);
}

TEST_F(Edges, AfterTheWindowTheExchangeIsGivenUp) {
  start(message());
  stepped->gate->started();
  ASSERT_TRUE(stepped->gate->commit());
  bool released = false;
  stepped->gate->on_release([&] { released = true; });
  clock->advance(10s + 60s - 1ms);
  EXPECT_FALSE(released);
  clock->advance(1ms);
  EXPECT_TRUE(released);
  stepped->answer(Accepted{"msg_1", Delivery::queued});
  EXPECT_EQ(stored(), RecordState::unknown);
}

TEST_F(Edges, LateAnswerIsOwedWhileTheStoreIsDown) {
  start(message());
  stepped->gate->started();
  ASSERT_TRUE(stepped->gate->commit());
  clock->advance(10s);
  store->always(Operation::settle, Fault::fail);
  stepped->answer(Accepted{"msg_1", Delivery::queued});
  clock->advance(10s);
  EXPECT_EQ(client().counters().owed_outcomes, 1U);
  store->always(Operation::settle, Fault::none);
  clock->advance(60s);
  EXPECT_EQ(client().counters().owed_outcomes, 0U);
  EXPECT_EQ(stored(), RecordState::accepted);
}

// Owning the key.

TEST_F(Edges, LostReplyOfReserveIsRepeatedUnderTheSameId) {
  store->next(Operation::reserve, Fault::lose_reply);
  const auto answer = start(message());
  clock->advance(1s);
  EXPECT_EQ(stepped->calls, 1);
  ASSERT_EQ(store->reservation_ids().size(), 2U);
  EXPECT_EQ(store->reservation_ids()[0], store->reservation_ids()[1]);
  stepped->answer(refusal(RejectionCategory::recipient));
}

TEST_F(Edges, FailedReserveSendsNothingAndGivesAPossibleClaimBack) {
  store->next(Operation::reserve, Fault::swallow);
  store->always(Operation::reserve, Fault::fail);
  std::vector<StoreErrorEvent> errors;
  options.hooks.on_store_error = [&](const StoreErrorEvent& event) { errors.push_back(event); };
  const auto answer = start(message());
  EXPECT_EQ(stored(), RecordState::reserved);
  clock->advance(5s);
  EXPECT_EQ(answer->as<StoreUnavailableError>().operation(), "reserve");
  EXPECT_TRUE(answer->error().retry_safe());
  EXPECT_EQ(stepped->calls, 0);
  EXPECT_EQ(stored(), RecordState::rejected);
  executor->run();
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0].operation, "reserve");
  EXPECT_EQ(errors[0].kind, StoreErrorEvent::Kind::unavailable);
}

TEST_F(Edges, HangingStoreIsBounded) {
  store->always(Operation::reserve, Fault::hang);
  const auto answer = start(message());
  clock->advance(5s);
  EXPECT_EQ(answer->error().code(), ErrorCode::store_unavailable);
}

TEST_F(Edges, MarkIsWrittenBeforeTheRequestStarts) {
  start(message());
  const auto record = std::get<ReservedRecord>(*store->peek("order:1", clock->now()));
  ASSERT_TRUE(record.posting.has_value());
  EXPECT_EQ(record.posting->provider, "stepped");
  EXPECT_EQ(record.posting->attempt, 1);
  stepped->answer(refusal(RejectionCategory::recipient));
}

TEST_F(Edges, KeyReleasedBeforeTheMarkIsNotSent) {
  store->before(Operation::mark, [this] { store->inner().erase("order:1"); });
  const auto answer = start(message());
  EXPECT_EQ(answer->error().code(), ErrorCode::aborted);
  EXPECT_EQ(stepped->calls, 0);
  EXPECT_EQ(stored(), std::nullopt);
}

TEST_F(Edges, KeyTakenOverBeforeTheMarkIsNotSent) {
  store->before(Operation::mark, [this] {
    store->inner().erase("order:1");
    reserve_elsewhere("other", message());
  });
  const auto answer = start(message());
  EXPECT_EQ(answer->error().code(), ErrorCode::aborted);
  EXPECT_EQ(stepped->calls, 0);
  EXPECT_EQ(std::get<ReservedRecord>(*store->peek("order:1", clock->now())).reservation_id, "other");
}

TEST_F(Edges, MarkThatCannotBeWrittenSendsNothing) {
  store->always(Operation::mark, Fault::fail);
  const auto answer = start(message());
  clock->advance(5s);
  EXPECT_EQ(answer->as<StoreUnavailableError>().operation(), "test");
  EXPECT_EQ(stepped->calls, 0);
  EXPECT_EQ(stored(), RecordState::rejected);
}

TEST_F(Edges, MarksCanBeTurnedOff) {
  options.idempotency->posting_mark = false;
  start(message());
  EXPECT_EQ(store->calls(Operation::mark), 0);
  EXPECT_EQ(stepped->calls, 1);
  stepped->answer(refusal(RejectionCategory::recipient));
}

// Outcomes that are hard to write.

TEST_F(Edges, FailingFinalizeStillTellsTheOutcomeAndTheKeyIsNeverSentAgain) {
  std::vector<StoreErrorEvent> errors;
  options.hooks.on_store_error = [&](const StoreErrorEvent& event) { errors.push_back(event); };
  options.adapters = {adapter};
  store->always(Operation::finalize, Fault::fail);
  const auto answer = start(message());
  EXPECT_TRUE(answer->pending());
  clock->advance(10s);
  ASSERT_TRUE(answer->accepted());
  executor->run();
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0].operation, "finalize");
  EXPECT_EQ(stored(), RecordState::reserved);
  EXPECT_EQ(client().counters().owed_outcomes, 1U);

  // Another process sees the reservation only, then a stale one.
  ClientOptions elsewhere = options;
  Client other(elsewhere, nullptr);
  EXPECT_EQ(other.try_send(message()).error().code(), ErrorCode::idempotency_in_progress);
  clock->advance(300s);
  EXPECT_EQ(other.try_send(message()).error().code(), ErrorCode::handoff_unknown);
  EXPECT_EQ(adapter->sent().size(), 1U);
}

TEST_F(Edges, OwedOutcomeAnswersALaterSendOfTheSameClient) {
  options.adapters = {adapter};
  store->always(Operation::finalize, Fault::fail);
  const auto first = start(message());
  clock->advance(10s);
  const auto second = start(message());
  ASSERT_TRUE(second->accepted());
  EXPECT_TRUE(second->result().replayed);
  EXPECT_EQ(second->result().provider_id, first->result().provider_id);
  EXPECT_EQ(adapter->sent().size(), 1U);
}

TEST_F(Edges, OwedOutcomeIsWrittenOnceTheStoreIsBack) {
  options.adapters = {adapter};
  store->always(Operation::finalize, Fault::fail);
  start(message());
  clock->advance(10s);
  store->always(Operation::finalize, Fault::none);
  clock->advance(60s);
  EXPECT_EQ(stored(), RecordState::accepted);
  EXPECT_EQ(client().counters().owed_outcomes, 0U);
}

TEST_F(Edges, OwedRejectionLetsTheKeyBeSentAgain) {
  options.adapters = {adapter};
  adapter->push(rejects(RejectionCategory::recipient));
  store->always(Operation::finalize, Fault::fail);
  start(message());
  clock->advance(10s);
  EXPECT_EQ(start(message())->error().code(), ErrorCode::store_unavailable);
  store->always(Operation::finalize, Fault::none);
  EXPECT_TRUE(start(message())->accepted());
}

TEST_F(Edges, HangingFinalizeIsBounded) {
  options.adapters = {adapter};
  store->always(Operation::finalize, Fault::hang);
  const auto answer = start(message());
  clock->advance(10s);
  EXPECT_TRUE(answer->accepted());
}

TEST_F(Edges, LostReplyOfFinalizeIsReadBackAndReportsNothing) {
  options.adapters = {adapter};
  std::vector<StoreErrorEvent> errors;
  options.hooks.on_store_error = [&](const StoreErrorEvent& event) { errors.push_back(event); };
  store->next(Operation::finalize, Fault::lose_reply);
  const auto answer = start(message());
  clock->advance(1s);
  EXPECT_TRUE(answer->accepted());
  executor->run();
  EXPECT_TRUE(errors.empty());
}

// Evidence for a key that is somebody else's by now.

TEST_F(Edges, AcceptedOutcomeOfAReleasedKeyIsKeptAsEvidence) {
  std::vector<StoreErrorEvent> errors;
  options.hooks.on_store_error = [&](const StoreErrorEvent& event) { errors.push_back(event); };
  const auto answer = start(message());
  stepped->gate->started();
  ASSERT_TRUE(stepped->gate->commit());
  store->inner().erase("order:1");
  stepped->answer(Accepted{"msg_1", Delivery::queued});
  EXPECT_TRUE(answer->accepted());
  EXPECT_EQ(stored(), RecordState::accepted);
  executor->run();
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0].kind, StoreErrorEvent::Kind::not_owner);
}

TEST_F(Edges, AcceptedOutcomeStopsTheSenderThatTookTheKeyOver) {
  const auto first = start(message());
  stepped->gate->started();
  ASSERT_TRUE(stepped->gate->commit());
  store->inner().erase("order:1");

  const auto other_adapter = std::make_shared<SteppedAdapter>();
  ClientOptions elsewhere = options;
  elsewhere.adapters = {other_adapter};
  Client other(elsewhere, nullptr);
  store->before(Operation::mark, [this] { stepped->answer(Accepted{"msg_1", Delivery::queued}); });
  const auto second = start_on(other, message());
  EXPECT_TRUE(first->accepted());
  EXPECT_EQ(second->error().code(), ErrorCode::aborted);
  EXPECT_EQ(other_adapter->calls, 0);
  EXPECT_EQ(other.send(message()).provider_id, "msg_1");
}

TEST_F(Edges, TwoAcceptedMessagesOfOneKeyAreDetected) {
  std::vector<StoreErrorEvent> errors;
  options.hooks.on_store_error = [&](const StoreErrorEvent& event) { errors.push_back(event); };
  start(message());
  stepped->gate->started();
  ASSERT_TRUE(stepped->gate->commit());
  store->inner().erase("order:1");
  reserve_elsewhere("other", message());
  finalize_elsewhere("other", "order:1", accepted_record(message(), "msg_2"));
  stepped->answer(Accepted{"msg_1", Delivery::queued});
  EXPECT_EQ(client().counters().duplicates_detected, 1U);
  executor->run();
  ASSERT_EQ(errors.size(), 2U);
  EXPECT_EQ(errors[1].kind, StoreErrorEvent::Kind::duplicate_detected);
}

TEST_F(Edges, UnknownOutcomeOfAReleasedKeyClosesItAgain) {
  start(message());
  stepped->gate->started();
  ASSERT_TRUE(stepped->gate->commit());
  store->inner().erase("order:1");
  stepped->answer(Unknown{UnknownReason::network, {}});
  EXPECT_EQ(stored(), RecordState::unknown);
}

TEST_F(Edges, HandedBackOutcomeSettlesItsKey) {
  const auto answer = start(message());
  stepped->gate->started();
  ASSERT_TRUE(stepped->gate->commit());
  stepped->answer(Unknown{UnknownReason::network, {}});
  SendResult known;
  known.id = "sms_" + store->reservation_ids().at(0);
  known.provider = "stepped";
  known.provider_id = "msg_9";
  EXPECT_EQ(client().settle("order:1", known), SettleResult::settled);
  EXPECT_EQ(client().send(message()).provider_id, "msg_9");
}

}  // namespace
}  // namespace sms::tests
