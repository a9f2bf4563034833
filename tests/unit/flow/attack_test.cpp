#include "support/send_fixture.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <stdexcept>
#include <thread>

namespace sms::tests {
namespace {

std::chrono::steady_clock::time_point in(std::chrono::milliseconds time) {
  return std::chrono::steady_clock::now() + time;
}

class Attack : public SendTest {};

TEST_F(Attack, EveryCallIsAnsweredWhenTheFirstJoinerOfANewSendCancelsAtOnce) {
  options.clock = system_clock();
  options.executor = thread_pool(1);
  options.idempotency->store = memory_idempotency_store();
  constexpr int rounds = 20'000;
  std::atomic<int> answered{0};
  const auto take = [&](const SendOutcome&) { ++answered; };
  {
    Client raced(options, nullptr);
    std::atomic<int> arrived{0};
    const auto run = [&](bool cancelled) {
      for (int i = 0; i < rounds; ++i) {
        ++arrived;
        while (arrived.load() < 2 * (i + 1)) {
        }
        SendOptions call;
        // Requested only after the checks at the door, as a cancellation that comes while the call is made.
        std::stop_source late;
        call.stop = late.get_token();
        if (cancelled) {
          raced.async_send(message("order:" + std::to_string(i)), call, take);
          late.request_stop();
        } else {
          raced.async_send(message("order:" + std::to_string(i)), {}, take);
        }
      }
    };
    std::thread other(run, true);
    run(false);
    other.join();
    const auto until = in(5s);
    while (answered < 2 * rounds && std::chrono::steady_clock::now() < until) std::this_thread::sleep_for(1ms);
    EXPECT_EQ(answered, 2 * rounds);
  }
}

TEST_F(Attack, OwedUnknownDoesNotMakeTheClientForgetALateAcceptance) {
  adapter->push(hangs());
  store->always(Operation::finalize, Fault::fail);
  store->always(Operation::settle, Fault::fail);
  const auto answer = start(message());
  clock->advance(10s);  // Unknown.
  clock->advance(10s);  // Owed.
  ASSERT_EQ(answer->error().code(), ErrorCode::handoff_unknown);
  adapter->release_hung();  // Accepted after all, and not written either.
  clock->advance(10s);
  EXPECT_EQ(client().counters().owed_outcomes, 1U);
  store->always(Operation::finalize, Fault::none);  // The unknown one can be written first.
  clock->advance(60s);
  store->always(Operation::settle, Fault::none);
  clock->advance(120s);
  EXPECT_EQ(stored(), RecordState::accepted);
  EXPECT_EQ(client().counters().owed_outcomes, 0U);
}

TEST_F(Attack, AcceptanceThatCameBeforeTheClientClosedIsStillWritten) {
  adapter->push(hangs());
  store->always(Operation::finalize, Fault::hold);
  start(message());
  clock->advance(10s);      // Unknown, and not written yet.
  adapter->release_hung();  // Accepted after all.
  client().close(in(20ms));
  store->release();
  EXPECT_EQ(stored(), RecordState::accepted);
}

class CountingBlockingAdapter final : public BlockingAdapter {
 public:
  explicit CountingBlockingAdapter(std::shared_ptr<Executor> executor) : BlockingAdapter(std::move(executor)) {
    info_.name = "blocking";
    info_.default_sender = From{std::string("+15550100001")};
  }
  const AdapterInfo& info() const override { return info_; }
  AdapterOutcome send(const AdapterMessage&, const SendContext&) override {
    ++sent;
    return Accepted{"id", Delivery::queued};
  }
  using BlockingAdapter::send;
  int sent = 0;

 private:
  AdapterInfo info_;
};

TEST_F(Attack, BlockingAdapterSendsNothingAfterItsSendHasEnded) {
  const auto blocking = std::make_shared<CountingBlockingAdapter>(executor);
  options.adapters = {blocking};
  const auto answer = start(message());
  clock->advance(30s);  // The executor is busy with other things.
  ASSERT_FALSE(answer->pending());
  executor->run();
  EXPECT_EQ(blocking->sent, 0);
  EXPECT_TRUE(answer->error().retry_safe());
  EXPECT_EQ(stored(), RecordState::rejected);
}

TEST_F(Attack, BlockingAdapterSendsWhatNobodyStopped) {
  const auto blocking = std::make_shared<CountingBlockingAdapter>(executor);
  options.adapters = {blocking};
  const auto answer = start(message());
  executor->run();
  EXPECT_TRUE(answer->accepted());
  EXPECT_EQ(blocking->sent, 1);
}

TEST_F(Attack, StoreErrorHookThatThrowsIsIgnored) {
  options.hooks.on_store_error = [](const StoreErrorEvent&) { throw std::runtime_error("observer"); };
  store->always(Operation::reserve, Fault::fail);
  start(message());
  clock->advance(60s);
  EXPECT_NO_THROW(executor->run());
  const auto begun = std::chrono::steady_clock::now();
  client().close(in(2s));
  EXPECT_LT(std::chrono::steady_clock::now() - begun, 1s);
}

class FullExecutor final : public Executor {
 public:
  void post(UniqueFunction<void()>) override { throw std::runtime_error("no thread"); }
};

TEST_F(Attack, HookThatCannotBeQueuedDoesNotChangeTheOutcome) {
  options.executor = std::make_shared<FullExecutor>();
  options.hooks.on_accepted = [](const SendInfo&, const SendResult&) {};
  const auto answer = start(message());
  EXPECT_TRUE(answer->accepted());
  EXPECT_EQ(client().counters().dropped_hooks, 1U);
}

TEST_F(Attack, PolicyThatCannotBeQueuedReleasesTheKey) {
  options.executor = std::make_shared<FullExecutor>();
  options.before_send = [](const PolicyContext&) -> PolicyDecision { return Allow{}; };
  const auto answer = start(message());
  EXPECT_EQ(answer->error().code(), ErrorCode::policy_rejected);
  EXPECT_EQ(stored(), RecordState::rejected);
}

/// Answers a claim with the answer that another question should have got.
class ShiftedStore final : public IdempotencyStore {
 public:
  explicit ShiftedStore(std::shared_ptr<FaultyStore> inner) : inner_(std::move(inner)) {}
  void get(std::string key, WallTime now, Callback<std::optional<IdempotencyRecord>> done) override {
    inner_->get(std::move(key), now, std::move(done));
  }
  void reserve(ReserveRequest, Callback<ReserveResult> done) override {
    done(ReserveResult(Reserved{"00000000000000000000000000000002"}));
  }
  void finalize(FinalizeRequest request, Callback<FinalizeResult> done) override {
    inner_->finalize(std::move(request), std::move(done));
  }
  EvidenceStore* evidence() noexcept override { return inner_->evidence(); }
  bool shared() const noexcept override { return true; }

 private:
  std::shared_ptr<FaultyStore> inner_;
};

TEST_F(Attack, ClaimAnsweredWithTheIdOfAnotherSenderSendsNothing) {
  reserve_elsewhere("00000000000000000000000000000002", message());
  options.idempotency->store = std::make_shared<ShiftedStore>(store);
  const auto answer = start(message());
  clock->advance(10s);
  EXPECT_TRUE(adapter->sent().empty());
  EXPECT_EQ(answer->error().code(), ErrorCode::store_unavailable);
  EXPECT_EQ(stored(), RecordState::reserved);
}

class SilentAdapter final : public Adapter {
 public:
  SilentAdapter() {
    info_.name = "silent";
    info_.default_sender = From{std::string("+15550100001")};
  }
  const AdapterInfo& info() const override { return info_; }
  bool commits() const override { return true; }
  void send(AdapterMessage, SendContext context, Callback<AdapterOutcome> done) override {
    gate = context.gate;
    gate->started();
    done_ = std::move(done);
  }
  void forget() {
    gate = nullptr;
    done_ = {};
  }
  std::shared_ptr<AttemptGate> gate;

 private:
  AdapterInfo info_;
  Callback<AdapterOutcome> done_;
};

TEST_F(Attack, AdapterThatNeverAnswersAfterARefusedCommitIsBounded) {
  const auto silent = std::make_shared<SilentAdapter>();
  options.adapters = {silent};
  SendOptions call;
  call.deadline = in(1s);
  const auto answer = start(message(), call);
  clock->advance(2s);
  ASSERT_FALSE(silent->gate->commit());
  clock->advance(30s);
  ASSERT_FALSE(answer->pending());
  EXPECT_EQ(answer->error().code(), ErrorCode::aborted);
  silent->forget();  // What it keeps, keeps it.
}

TEST_F(Attack, PolicyIsNotAskedForASendThatHasEnded) {
  int asked = 0;
  options.before_send = [&](const PolicyContext&) -> PolicyDecision {
    ++asked;
    return Allow{};
  };
  std::stop_source stop;
  SendOptions call;
  call.stop = stop.get_token();
  const auto answer = start(message(), call);
  stop.request_stop();
  ASSERT_FALSE(answer->pending());
  executor->run();
  EXPECT_EQ(asked, 0);
}

TEST_F(Attack, ForkedChildCanDropTheClientOfItsParent) {
  options.clock = nullptr;
  options.executor = nullptr;
  options.before_send = [](const PolicyContext&) -> PolicyDecision { return Allow{}; };
  options.idempotency->store = memory_idempotency_store();
  auto made_here = std::make_unique<Client>(options, nullptr);
  ASSERT_TRUE(made_here->try_send(message()).has_value());  // Its threads run.
  const pid_t child = fork();
  if (child == 0) {
    alarm(5);
    made_here.reset();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
}

TEST_F(Attack, ManyCancelledNewcomersEndOneAfterTheOther) {
  adapter->push(hangs());
  store->always(Operation::finalize, Fault::hold);
  std::stop_source first;
  SendOptions call;
  call.stop = first.get_token();
  const auto answer = start(message(), call);
  first.request_stop();  // In flight: the outcome is being written.
  constexpr int newcomers = 100'000;
  std::vector<std::shared_ptr<Answer>> answers;
  for (int i = 0; i < newcomers; ++i) {
    std::stop_source stop;
    SendOptions impatient;
    impatient.stop = stop.get_token();
    answers.push_back(start(message(), impatient));
    stop.request_stop();
  }
  store->release();
  for (const auto& each : answers) ASSERT_EQ(each->times, 1);
}

}  // namespace
}  // namespace sms::tests
