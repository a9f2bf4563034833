#include "support/send_fixture.hpp"

namespace sms::tests {
namespace {

using ::testing::ElementsAre;

class Attempts : public SendTest {
 protected:
  Attempts() { options.adapters = {adapter, second}; }
  std::shared_ptr<testing::MemoryAdapter> second = memory_adapter("second");
};

TEST_F(Attempts, RateLimitIsRetriedAfterTheProvidersWish) {
  adapter->push(rejects(RejectionCategory::rate_limited, Proof::provider_body, 3s));
  const auto answer = start(message());
  clock->advance(3s - 1ms);
  EXPECT_TRUE(answer->pending());
  clock->advance(1ms);
  ASSERT_TRUE(answer->accepted());
  EXPECT_EQ(answer->result().attempts.size(), 2U);
  EXPECT_THAT(answer->result().attempted_providers, ElementsAre("memory"));
}

TEST_F(Attempts, TooLongAWishEndsTheRetries) {
  adapter->push(rejects(RejectionCategory::rate_limited, Proof::provider_body, 11s));
  const auto answer = start(message());
  EXPECT_EQ(answer->as<ProviderRateLimitedError>().retry_after(), 11s);
  EXPECT_EQ(adapter->sent().size(), 1U);
}

TEST_F(Attempts, MaxAttemptsCountsTheFirst) {
  options.retry.max_attempts = 3;
  for (int i = 0; i < 5; ++i) adapter->push(rejects(RejectionCategory::rate_limited, Proof::provider_body, 1s));
  const auto answer = start(message());
  clock->advance(60s);
  EXPECT_EQ(answer->error().attempts().size(), 3U);
  EXPECT_EQ(answer->error().code(), ErrorCode::provider_rate_limited);
}

TEST_F(Attempts, NothingElseIsRetriedOnTheSameAdapter) {
  for (const auto category :
       {RejectionCategory::auth, RejectionCategory::sender, RejectionCategory::account, RejectionCategory::unreachable,
        RejectionCategory::recipient, RejectionCategory::compliance, RejectionCategory::request}) {
    adapter->push(rejects(category));
    const auto answer = start(message(""));
    EXPECT_EQ(answer->error().attempts().size(), 1U) << to_string(category);
  }
}

TEST_F(Attempts, CancelledInARetryWaitIsAbortedWithTheAttemptsMade) {
  adapter->push(rejects(RejectionCategory::rate_limited, Proof::provider_body, 5s));
  std::stop_source stop;
  SendOptions send_options;
  send_options.stop = stop.get_token();
  const auto answer = start(message(), send_options);
  stop.request_stop();
  EXPECT_EQ(answer->error().code(), ErrorCode::aborted);
  EXPECT_EQ(answer->error().attempts().size(), 1U);
  EXPECT_EQ(stored(), RecordState::rejected);
  EXPECT_EQ(clock->pending(), 0U);
}

TEST_F(Attempts, FallsBackOnlyWhenToldAndOnlyAfterAnEligibleRejection) {
  adapter->push(rejects(RejectionCategory::account));
  EXPECT_EQ(start(message("a"))->error().code(), ErrorCode::provider_rejected);
  EXPECT_TRUE(second->sent().empty());

  forget_client();
  options.fallback = Fallback::on_known_rejection;
  struct Case {
    RejectionCategory category;
    bool falls_back;
  };
  int number = 0;
  for (const auto& [category, falls_back] :
       {Case{RejectionCategory::auth, true}, Case{RejectionCategory::sender, true},
        Case{RejectionCategory::account, true}, Case{RejectionCategory::unreachable, true},
        Case{RejectionCategory::recipient, false}, Case{RejectionCategory::compliance, false},
        Case{RejectionCategory::request, false}}) {
    adapter->push(rejects(category));
    EXPECT_EQ(start(message("key" + std::to_string(++number)))->accepted(), falls_back) << to_string(category);
  }
}

TEST_F(Attempts, RateLimitFallsBackAfterItsRetries) {
  options.fallback = Fallback::on_known_rejection;
  adapter->push(rejects(RejectionCategory::rate_limited, Proof::provider_body, 1s));
  adapter->push(rejects(RejectionCategory::rate_limited, Proof::provider_body, 1s));
  const auto answer = start(message());
  clock->advance(1s);
  ASSERT_TRUE(answer->accepted());
  EXPECT_THAT(answer->result().attempted_providers, ElementsAre("memory", "second"));
  EXPECT_EQ(answer->result().attempts.size(), 3U);
}

TEST_F(Attempts, RejectionByBareStatusNeverFallsBack) {
  options.fallback = Fallback::on_known_rejection;
  adapter->push(rejects(RejectionCategory::auth, Proof::status));
  const auto answer = start(message());
  EXPECT_FALSE(answer->as<ProviderAuthError>().fallback_eligible());
  EXPECT_TRUE(second->sent().empty());
}

TEST_F(Attempts, UnknownNeverFallsBack) {
  options.fallback = Fallback::on_known_rejection;
  adapter->push(unknown(UnknownReason::server_error));
  EXPECT_EQ(start(message())->as<HandoffUnknownError>().reason(), UnknownReason::server_error);
  EXPECT_TRUE(second->sent().empty());
}

TEST_F(Attempts, UnknownAfterAFallbackKeepsTheKeyUnknown) {
  options.fallback = Fallback::on_known_rejection;
  adapter->push(rejects(RejectionCategory::sender));
  second->push(unknown(UnknownReason::network));
  const auto answer = start(message());
  EXPECT_EQ(answer->error().attempts().size(), 2U);
  EXPECT_EQ(stored(), RecordState::unknown);
}

TEST_F(Attempts, AllRejectedCarriesOneErrorPerAdapter) {
  options.fallback = Fallback::on_known_rejection;
  adapter->push(rejects(RejectionCategory::sender));
  second->push(rejects(RejectionCategory::recipient));
  const auto answer = start(message());
  const auto& error = answer->as<AllProvidersRejectedError>();
  ASSERT_EQ(error.errors().size(), 2U);
  EXPECT_EQ(error.errors()[0]->category(), RejectionCategory::sender);
  EXPECT_EQ(error.errors()[1]->category(), RejectionCategory::recipient);
  EXPECT_TRUE(error.retry_safe());
  EXPECT_EQ(stored(), RecordState::rejected);
}

TEST_F(Attempts, FallbackSkipsAnAdapterThatCannotSendTheMessage) {
  testing::MemoryAdapterOptions without_sender;
  without_sender.name = "silent";
  without_sender.from = std::nullopt;
  const auto silent = testing::memory(without_sender);
  options.adapters = {adapter, silent, second};
  options.fallback = Fallback::on_known_rejection;
  adapter->push(rejects(RejectionCategory::account));
  const auto answer = start(message());
  ASSERT_TRUE(answer->accepted());
  EXPECT_THAT(answer->result().attempted_providers, ElementsAre("memory", "second"));
}

TEST_F(Attempts, EachAdapterUsesItsOwnSender) {
  testing::MemoryAdapterOptions other;
  other.name = "other";
  other.from = From{SenderId{"Acme"}};
  const auto named = testing::memory(other);
  options.adapters = {adapter, named};
  options.fallback = Fallback::on_known_rejection;
  adapter->push(rejects(RejectionCategory::sender));
  start(message());
  EXPECT_EQ(named->sent().at(0).message.from, From{SenderId{"Acme"}});
}

TEST_F(Attempts, ThrowingAdapterIsAnUnknownOutcome) {
  testing::ScriptedOutcome throws;
  throws.throws = true;
  adapter->push(throws);
  const auto answer = start(message());
  EXPECT_EQ(answer->as<HandoffUnknownError>().reason(), UnknownReason::adapter_exception);
  EXPECT_TRUE(answer->error().cause());
  EXPECT_EQ(stored(), RecordState::unknown);
}

TEST_F(Attempts, DeadlineInThePastSendsNothing) {
  SendOptions late;
  late.deadline = std::chrono::steady_clock::now() - 1ms;
  EXPECT_EQ(start(message(), late)->error().code(), ErrorCode::aborted);
  EXPECT_EQ(store->calls(Operation::reserve), 0);
}

TEST_F(Attempts, DeadlineNeverCutsARequestShort) {
  adapter->push(hangs());
  SendOptions soon;
  soon.deadline = std::chrono::steady_clock::now() + 1s;
  const auto answer = start(message(), soon);
  clock->advance(9s);
  EXPECT_TRUE(answer->pending());
  adapter->release_hung();
  EXPECT_TRUE(answer->accepted());
}

TEST_F(Attempts, DeadlineAfterARejectionAnswersThatRejection) {
  adapter->push(rejects(RejectionCategory::rate_limited, Proof::provider_body, 5s));
  SendOptions soon;
  soon.deadline = std::chrono::steady_clock::now() + 2s;
  const auto answer = start(message(), soon);
  clock->advance(5s);
  EXPECT_EQ(answer->error().code(), ErrorCode::provider_rate_limited);
  EXPECT_EQ(adapter->sent().size(), 1U);
}

TEST_F(Attempts, DurationsComeFromTheMonotonicClock) {
  adapter->push(hangs());
  const auto answer = start(message());
  clock->set_wall(clock->now() - 5000s);
  clock->advance(250ms);
  adapter->release_hung();
  EXPECT_EQ(answer->result().attempts.at(0).duration, 250ms);
}

}  // namespace
}  // namespace sms::tests
