#include <sms/idempotency.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>
#include <vector>

namespace {

using namespace sms;

// Runs what was posted when it is told to.
class LaterExecutor : public Executor {
 public:
  void post(UniqueFunction<void()> work) override { posted_.push_back(std::move(work)); }
  void run() {
    for (auto& work : posted_) work();
    posted_.clear();
  }

 private:
  std::vector<UniqueFunction<void()>> posted_;
};

class FailingStore : public BlockingIdempotencyStore {
 public:
  FailingStore(std::shared_ptr<Executor> executor, std::function<void()> fail)
      : BlockingIdempotencyStore(std::move(executor)), fail_(std::move(fail)) {}
  using BlockingIdempotencyStore::finalize;
  using BlockingIdempotencyStore::get;
  using BlockingIdempotencyStore::reserve;
  std::optional<IdempotencyRecord> get(const std::string&, WallTime) override {
    fail_();
    return std::nullopt;
  }
  ReserveResult reserve(const ReserveRequest& request) override {
    fail_();
    return Reserved{request.reservation_id};
  }
  FinalizeResult finalize(const FinalizeRequest&) override {
    fail_();
    return FinalizeResult::finalized;
  }

 private:
  std::function<void()> fail_;
};

ReserveRequest request() {
  ReserveRequest out;
  out.key = "k";
  out.reservation_id = "r1";
  return out;
}

TEST(BlockingStore, AnswersFromItsExecutor) {
  const auto executor = std::make_shared<LaterExecutor>();
  const std::shared_ptr<IdempotencyStore> store = std::make_shared<FailingStore>(executor, [] {});
  std::string answer;
  store->reserve(request(),
                 [&](Expected<ReserveResult> result) { answer = std::get<Reserved>(*result).reservation_id; });
  EXPECT_EQ(answer, "");
  executor->run();
  EXPECT_EQ(answer, "r1");
}

TEST(BlockingStore, TurnsWhatItThrowsIntoStoreUnavailable) {
  const auto executor = std::make_shared<LaterExecutor>();
  const auto fail = [] { throw std::runtime_error("password=hunter2"); };
  const std::shared_ptr<IdempotencyStore> store = std::make_shared<FailingStore>(executor, fail);
  std::shared_ptr<const Error> error;
  store->reserve(request(), [&](Expected<ReserveResult> result) { error = result.error_ptr(); });
  executor->run();
  ASSERT_TRUE(error);
  const auto* unavailable = dynamic_cast<const StoreUnavailableError*>(error.get());
  ASSERT_NE(unavailable, nullptr);
  EXPECT_EQ(unavailable->operation(), "reserve");
  EXPECT_EQ(std::string(error->what()).find("hunter2"), std::string::npos);
  EXPECT_THROW(std::rethrow_exception(error->cause()), std::runtime_error);
}

TEST(BlockingStore, PassesItsOwnStoreUnavailableOn) {
  const auto executor = std::make_shared<LaterExecutor>();
  const auto fail = [] { throw StoreUnavailableError("finalize", "disk full"); };
  const std::shared_ptr<IdempotencyStore> store = std::make_shared<FailingStore>(executor, fail);
  std::string text;
  store->finalize({}, [&](Expected<FinalizeResult> result) { text = result.error().what(); });
  executor->run();
  EXPECT_NE(text.find("disk full"), std::string::npos);
}

TEST(BlockingStore, LivesUntilItsWorkIsDone) {
  const auto executor = std::make_shared<LaterExecutor>();
  std::shared_ptr<IdempotencyStore> store = std::make_shared<FailingStore>(executor, [] {});
  bool answered = false;
  store->get("k", WallTime{},
             [&](Expected<std::optional<IdempotencyRecord>> result) { answered = result.has_value(); });
  store.reset();
  executor->run();
  EXPECT_TRUE(answered);
}

}  // namespace
