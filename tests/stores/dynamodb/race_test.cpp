#include <sms/testing/store_history.hpp>

#include "contract/process_race.hpp"
#include "stores/dynamodb/dynamo_fixture.hpp"
#include "stores/dynamodb/environment.hpp"
#include "support/child_process.hpp"

#include <algorithm>

namespace sms::tests {
namespace {

using ::testing::IsEmpty;

class DynamoRace : public DynamoTest {
 protected:
  void fault_sometimes(Kind kind, double probability, std::chrono::milliseconds delay = 0ms) {
    DynamoFault made;
    made.kind = kind;
    made.times = 0;
    made.probability = probability;
    made.delay = delay;
    stub.add_fault(made);
  }
  /// Two stores, as of two machines, with 16 threads each.
  std::vector<testing::StoreEvent> race(const DynamodbOptions& options) {
    const auto first = open(options);
    const auto second = dynamodb_idempotency_store(options);
    std::vector<testing::StoreEvent> events;
    std::vector<testing::StoreEvent> of_second;
    testing::StoreRace race;
    race.threads = 16;
    race.rounds = 25;
    race.caller = "first";
    std::thread other([&, mine = race]() mutable {
      mine.caller = "second";
      mine.seed = 2;
      of_second = race_for_keys(*second, mine);
    });
    events = race_for_keys(*first, race);
    other.join();
    events.insert(events.end(), of_second.begin(), of_second.end());
    return events;
  }
  static std::size_t failed(const std::vector<testing::StoreEvent>& events) {
    return static_cast<std::size_t>(
        std::ranges::count(events, testing::StoreEvent::Answer::failed, &testing::StoreEvent::answer));
  }
};

TEST_F(DynamoRace, threads_of_two_stores_never_own_a_key_at_the_same_time) {
  auto options = stub_options(stub);
  options.operation_timeout = 30s;
  const auto events = race(options);
  EXPECT_EQ(failed(events), 0U);
  EXPECT_GT(events.size(), 500U);
  EXPECT_THAT(contradictions(events), IsEmpty());
}

TEST_F(DynamoRace, nor_when_answers_are_lost_and_late_and_requests_are_throttled) {
  auto options = stub_options(stub);
  options.operation_timeout = 30s;
  for (const auto kind : {Kind::lose_answer, Kind::throttle, Kind::cut, Kind::hide_item}) fault_sometimes(kind, 0.05);
  fault_sometimes(Kind::delay_answer, 0.05, 30ms);
  fault_sometimes(Kind::delay_execution, 0.05, 30ms);
  const auto events = race(options);
  EXPECT_LT(failed(events), events.size() / 10);
  EXPECT_THAT(contradictions(events), IsEmpty());
}

TEST_F(DynamoRace, nor_when_requests_are_executed_after_everybody_gave_up) {
  auto options = stub_options(stub);
  options.operation_timeout = 1'000ms;
  open(options);
  fault_sometimes(Kind::delay_execution, 0.03, 1'200ms);
  fault_sometimes(Kind::lose_answer, 0.05);
  const auto events = race(options);
  EXPECT_GT(events.size(), 500U);
  EXPECT_THAT(contradictions(events), IsEmpty());
}

TEST_F(DynamoRace, processes_never_own_a_key_at_the_same_time) {
  Environment environment({"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"});
  ChildProcess server({SMS_DYNAMO_STUB, "--key", "AKIDRACE", "--secret", "race-secret"});
  const auto url = server.read_line();
  ASSERT_THAT(url, ::testing::StartsWith("http://127.0.0.1:"));
  environment.set("AWS_ACCESS_KEY_ID", "AKIDRACE");
  environment.set("AWS_SECRET_ACCESS_KEY", "race-secret");
  auto options = dynamodb_options("dynamodb://keys?region=eu-west-1&operation_timeout=30s&endpoint=" + url);
  open(options);
  expect_single_owners(SMS_STORE_WORKER, "dynamodb://keys?region=eu-west-1&operation_timeout=30s&endpoint=" + url);
}

}  // namespace
}  // namespace sms::tests
