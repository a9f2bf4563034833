#include "support/send_fixture.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

namespace sms::tests {
namespace {

using ::testing::HasSubstr;

std::chrono::steady_clock::time_point in(std::chrono::milliseconds time) {
  return std::chrono::steady_clock::now() + time;
}

class Lifecycle : public SendTest {};

TEST_F(Lifecycle, CloseWaitsForRunningSendsAndThenRefusesNewOnes) {
  adapter->push(hangs());
  const auto answer = start(message());
  std::thread later([this] {
    std::this_thread::sleep_for(50ms);
    adapter->release_hung();
  });
  const auto report = client().close(in(5s));
  later.join();
  EXPECT_TRUE(report.clean());
  EXPECT_TRUE(answer->accepted());
  EXPECT_EQ(start(message("order:2"))->error().code(), ErrorCode::aborted);
}

TEST_F(Lifecycle, CloseEndsWhatIsStillRunningAndSaysSo) {
  adapter->push(hangs());
  const auto answer = start(message());
  const auto report = client().close(in(20ms));
  EXPECT_EQ(report.unfinished_sends, 1U);
  EXPECT_FALSE(report.clean());
  EXPECT_EQ(answer->as<HandoffUnknownError>().reason(), UnknownReason::aborted);
}

TEST_F(Lifecycle, CloseStillTakesTheLateAnswerOfASendThatEndsMeanwhile) {
  adapter->push(hangs());
  const auto answer = start(message());
  std::thread later([this] {
    std::this_thread::sleep_for(50ms);
    clock->advance(10s);
    std::this_thread::sleep_for(50ms);
    adapter->release_hung();
  });
  const auto report = client().close(in(5s));
  later.join();
  EXPECT_EQ(answer->as<HandoffUnknownError>().reason(), UnknownReason::timeout);
  EXPECT_TRUE(report.clean());
  EXPECT_EQ(stored(), RecordState::accepted);
}

TEST_F(Lifecycle, HooksOfOneSendDoNotOverlap) {
  options.executor = thread_pool(4);
  std::atomic<int> running{0};
  std::atomic<int> most{0};
  const auto enter = [&] {
    most = std::max(most.load(), ++running);
    std::this_thread::sleep_for(20ms);
    --running;
  };
  options.hooks.on_failure = [&](const SendInfo&, const Error&) { enter(); };
  options.hooks.on_late_outcome = [&](const LateOutcomeEvent&) { enter(); };
  adapter->push(hangs());
  start(message());
  clock->advance(10s);
  adapter->release_hung();
  client().close(in(5s));
  EXPECT_EQ(most, 1);
}

TEST_F(Lifecycle, CloseReportsOwedOutcomes) {
  store->always(Operation::finalize, Fault::fail);
  start(message());
  clock->advance(10s);
  const auto report = client().close(in(20ms));
  ASSERT_EQ(report.owed.size(), 1U);
  EXPECT_EQ(report.owed[0].key, "order:1");
  EXPECT_TRUE(std::holds_alternative<AcceptedRecord>(report.owed[0].record));
}

TEST_F(Lifecycle, CloseWritesOwedOutcomesOfAStoreThatIsBack) {
  store->always(Operation::finalize, Fault::fail);
  start(message());
  clock->advance(10s);
  store->always(Operation::finalize, Fault::none);
  EXPECT_TRUE(client().close(in(5s)).clean());
  EXPECT_EQ(stored(), RecordState::accepted);
}

TEST_F(Lifecycle, NoCallbackRunsAfterDestruction) {
  int hooks = 0;
  options.hooks.on_accepted = [&](const SendInfo&, const SendResult&) { ++hooks; };
  start(message());
  forget_client();
  executor->run();
  EXPECT_EQ(hooks, 0);
}

TEST_F(Lifecycle, EveryPendingCallIsAnsweredByDestruction) {
  store->always(Operation::reserve, Fault::hang);
  const auto answer = start(message());
  forget_client();
  EXPECT_FALSE(answer->pending());
  clock->advance(60s);
  EXPECT_EQ(answer->times, 1);
  EXPECT_TRUE(adapter->sent().empty());
}

TEST_F(Lifecycle, LateAnswerAfterDestructionTouchesNothing) {
  adapter->push(hangs());
  int late = 0;
  options.hooks.on_late_outcome = [&](const LateOutcomeEvent&) { ++late; };
  start(message());
  clock->advance(10s);
  forget_client();
  adapter->release_hung();
  executor->run();
  EXPECT_EQ(late, 0);
}

TEST_F(Lifecycle, ClientOfTheParentIsRefusedInAForkedChild) {
  Client& made_here = client();
  const pid_t child = fork();
  if (child == 0) {
    const auto outcome = made_here.try_send(message());
    _exit(!outcome && outcome.error().code() == ErrorCode::configuration ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_TRUE(adapter->sent().empty());
}

TEST_F(Lifecycle, MovedClientGoesOn) {
  Client first(options, nullptr);
  Client second = std::move(first);
  EXPECT_TRUE(second.try_send(message()).has_value());
}

class Options : public SendTest {
 protected:
  std::string refused() {
    try {
      const Client made(options, nullptr);
    } catch (const ConfigurationError& error) {
      return error.what();
    }
    return "accepted";
  }
};

TEST_F(Options, StaleReservationShorterThanTheSlowestSendNamesBothNumbers) {
  options.idempotency->stale_reservation = 60'000ms;
  // 10 s policy + 2 * (10 s + 5 s) + 1 * 10 s + 10 s finalize
  EXPECT_EQ(slowest_send(options), 60'000ms);
  EXPECT_THAT(refused(), HasSubstr("60000 ms"));
  options.idempotency->stale_reservation = 60'001ms;
  EXPECT_EQ(refused(), "accepted");
}

TEST_F(Options, SecondAdapterAddsItsAttemptsToTheSlowestSend) {
  options.adapters.push_back(memory_adapter("second"));
  EXPECT_EQ(slowest_send(options), 100'000ms);
}

TEST_F(Options, DurationsArePositiveAndBelowACentury) {
  const std::vector<std::pair<std::string, std::chrono::milliseconds*>> durations = {
      {"timeout", &options.timeout},
      {"queue_timeout", &options.queue_timeout},
      {"policy_timeout", &options.policy_timeout},
      {"retry.base_delay", &options.retry.base_delay},
      {"retry.max_delay", &options.retry.max_delay},
      {"idempotency.ttl", &options.idempotency->ttl},
      {"idempotency.stale_reservation", &options.idempotency->stale_reservation},
      {"idempotency.store_timeout", &options.idempotency->store_timeout},
      {"idempotency.finalize_timeout", &options.idempotency->finalize_timeout}};
  for (const auto& [name, duration] : durations) {
    for (const auto wrong : {0ms, -1ms, std::chrono::milliseconds(std::chrono::hours(24 * 365 * 100))}) {
      const auto good = std::exchange(*duration, wrong);
      EXPECT_THAT(refused(), HasSubstr(name));
      *duration = good;
    }
  }
}

TEST_F(Options, CountsAndPointersAreChecked) {
  options.retry.max_attempts = 0;
  EXPECT_THAT(refused(), HasSubstr("max_attempts"));
  options.retry.max_attempts = 2;
  options.idempotency->store = nullptr;
  EXPECT_THAT(refused(), HasSubstr("store"));
  options.idempotency = std::nullopt;
  options.adapters = {adapter, memory_adapter("memory")};
  EXPECT_THAT(refused(), HasSubstr("memory"));
  options.adapters = {nullptr};
  EXPECT_THAT(refused(), HasSubstr("null"));
  options.adapters.clear();
  EXPECT_THAT(refused(), HasSubstr("adapters"));
}

TEST_F(Options, AnotherStoreThanTheExpectedOneIsRefused) {
  options.idempotency->expect_store = "prod";
  EXPECT_THAT(refused(), HasSubstr("expect_store"));
}

TEST_F(Options, CapabilitiesListEveryAdapter) {
  options.adapters.push_back(memory_adapter("second"));
  const auto list = client().capabilities();
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list[1].name, "second");
  EXPECT_EQ(list[0].default_sender, From{std::string("+15550100001")});
}

}  // namespace
}  // namespace sms::tests
