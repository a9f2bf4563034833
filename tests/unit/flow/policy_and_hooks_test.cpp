#include "support/send_fixture.hpp"

#include <stdexcept>

namespace sms::tests {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class Policy : public SendTest {
 protected:
  std::shared_ptr<Answer> ask(BeforeSend policy) {
    options.before_send = std::move(policy);
    const auto answer = start(message());
    executor->run();
    return answer;
  }
};

TEST_F(Policy, SeesTheMessageAndItsSegments) {
  const auto answer = ask([](const PolicyContext& context) -> PolicyDecision {
    EXPECT_EQ(context.input.to, "+14155550123");
    EXPECT_EQ(context.segments, 1);
    EXPECT_EQ(context.id.substr(0, 4), "sms_");
    return Allow{};
  });
  EXPECT_TRUE(answer->accepted());
}

TEST_F(Policy, ReasonStaysOnTheErrorObjectAlone) {
  std::vector<std::string> failures;
  options.hooks.on_failure = [&](const SendInfo&, const Error& error) { failures.push_back(error.to_json()); };
  const auto answer = ask([](const PolicyContext&) { return Reject{"customer 77 is blocked"}; });
  EXPECT_EQ(answer->as<PolicyRejectedError>().reason(), "customer 77 is blocked");
  EXPECT_THAT(std::string(answer->error().what()), Not(HasSubstr("77")));
  EXPECT_THAT(answer->error().to_json(), Not(HasSubstr("77")));
  EXPECT_TRUE(adapter->sent().empty());
  executor->run();
  ASSERT_EQ(failures.size(), 1U);
  EXPECT_THAT(failures[0], Not(HasSubstr("77")));
  const auto record = std::get<RejectedRecord>(*store->peek("order:1", clock->now()));
  EXPECT_EQ(record.error.code, "policy_rejected");
}

TEST_F(Policy, ThatThrowsReleasesTheKeyAndRunsNoHook) {
  int failures = 0;
  options.hooks.on_failure = [&](const SendInfo&, const Error&) { ++failures; };
  const auto answer = ask([](const PolicyContext&) -> PolicyDecision { throw std::runtime_error("bug"); });
  executor->run();
  EXPECT_EQ(answer->error().code(), ErrorCode::policy_rejected);
  EXPECT_THROW(std::rethrow_exception(answer->error().cause()), std::runtime_error);
  EXPECT_EQ(stored(), RecordState::rejected);
  EXPECT_EQ(failures, 0);
}

TEST_F(Policy, WhatItThrowsPassesThroughTheThrowingDoor) {
  options.executor = thread_pool(1);
  options.before_send = [](const PolicyContext&) -> PolicyDecision { throw std::runtime_error("bug"); };
  EXPECT_THROW(client().send(message()), std::runtime_error);
  forget_client();
}

TEST_F(Policy, ThatTakesTooLongRejectsWithReasonTimeout) {
  options.before_send = [](const PolicyContext&) { return Allow{}; };
  const auto answer = start(message());
  clock->advance(10s);
  EXPECT_EQ(answer->as<PolicyRejectedError>().reason(), "timeout");
  executor->run();  // The abandoned call runs late and changes nothing.
  EXPECT_TRUE(adapter->sent().empty());
  EXPECT_EQ(stored(), RecordState::rejected);
}

TEST_F(Policy, IsNotAskedForAReplay) {
  int asked = 0;
  options.before_send = [&](const PolicyContext&) {
    ++asked;
    return Allow{};
  };
  start(message());
  executor->run();
  EXPECT_TRUE(start(message())->result().replayed);
  EXPECT_EQ(asked, 1);
}

TEST_F(Policy, CancelledMeanwhileIsAborted) {
  options.before_send = [](const PolicyContext&) { return Allow{}; };
  std::stop_source stop;
  SendOptions cancellable;
  cancellable.stop = stop.get_token();
  const auto answer = start(message(), cancellable);
  stop.request_stop();
  EXPECT_EQ(answer->error().code(), ErrorCode::aborted);
  executor->run();
  EXPECT_TRUE(adapter->sent().empty());
}

class HooksTest : public SendTest {
 protected:
  HooksTest() {
    options.hooks.on_attempt = [this](const SendInfo&, const Attempt& attempt) {
      events.push_back("attempt " + std::to_string(attempt.attempt));
      states.push_back(stored());
    };
    options.hooks.on_accepted = [this](const SendInfo& info, const SendResult&) {
      events.push_back("accepted");
      last = info;
    };
    options.hooks.on_failure = [this](const SendInfo& info, const Error& error) {
      events.push_back("failure " + std::string(to_string(error.code())));
      last = info;
    };
  }
  std::vector<std::string> events;
  std::vector<std::optional<RecordState>> states;
  SendInfo last;
};

TEST_F(HooksTest, RunInOrderAfterTheOutcomeIsStored) {
  adapter->push(rejects(RejectionCategory::rate_limited, Proof::provider_body, 1s));
  SendOptions traced;
  traced.trace_context = "00-abc-def-01";
  start(message("order:+14155550123"), traced);
  clock->advance(1s);
  EXPECT_TRUE(events.empty());
  executor->run();
  EXPECT_THAT(events, ElementsAre("attempt 1", "attempt 2", "accepted"));
  EXPECT_EQ(last.to, "+1********23");
  EXPECT_EQ(last.trace_context, "00-abc-def-01");
  EXPECT_THAT(*last.key, Not(HasSubstr("4155550123")));
  EXPECT_EQ(last.segments, 1);
}

TEST_F(HooksTest, OutcomeIsStoredBeforeTheFirstHook) {
  start(message());
  executor->run();
  EXPECT_THAT(states, ElementsAre(RecordState::accepted));
}

TEST_F(HooksTest, NoneForReplayConflictOrInvalidMessage) {
  start(message());
  executor->run();
  events.clear();
  start(message());
  start(message("order:1", "other"));
  auto invalid = message("order:2");
  invalid.to = "12";
  start(invalid);
  executor->run();
  EXPECT_TRUE(events.empty());
}

TEST_F(HooksTest, OneOfTwoEndsPerLogicalSendHoweverManyCallers) {
  adapter->push(hangs());
  start(message());
  start(message());
  adapter->release_hung();
  executor->run();
  EXPECT_THAT(events, ElementsAre("attempt 1", "accepted"));
}

TEST_F(HooksTest, ThrowingHookIsIgnored) {
  options.hooks.on_attempt = [](const SendInfo&, const Attempt&) { throw std::runtime_error("observer"); };
  EXPECT_TRUE(start(message())->accepted());
  executor->run();
  EXPECT_THAT(events, ElementsAre("accepted"));
}

TEST_F(HooksTest, TooManyWaitingHooksAreDroppedAndCounted) {
  for (int i = 0; i < 4100; ++i) start(message("k" + std::to_string(i)));
  EXPECT_EQ(client().counters().dropped_hooks, 4U);
  executor->run();
}

}  // namespace
}  // namespace sms::tests
