#include <sms/sms.hpp>

#include "integration/process.hpp"
#include "simulator/simulator.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <thread>

// What the library promises, with real processes, a real file and a real server. The simulator's ledger is the judge.

namespace sms::tests {
namespace {

using namespace std::chrono_literals;
using ::testing::StartsWith;

class SentOnce : public ::testing::Test {
 protected:
  SentOnce() {
    std::string name = "/tmp/sms-sent-once-XXXXXX";
    folder_ = mkdtemp(name.data());
  }
  ~SentOnce() override { std::filesystem::remove_all(folder_); }

  std::string database() const { return folder_ / "keys.db"; }

  std::unique_ptr<Process> worker(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), SMS_WORKER);
    return std::make_unique<Process>(std::move(arguments));
  }

  static TwilioOptions twilio_at(const std::string& url) {
    TwilioOptions options;
    options.account_sid = "AC00000000000000000000000000000001";
    options.auth_token = Secret("token");
    options.from = From{std::string("+15550100001")};
    options.base_url = url;
    return options;
  }
  static TelnyxOptions telnyx_at(const std::string& url) {
    TelnyxOptions options;
    options.api_key = Secret("key");
    options.from = From{std::string("+15550100002")};
    options.base_url = url;
    return options;
  }

  /// A client whose sends take at most 2 s, so that a reservation may be stale soon.
  ClientOptions quick_options() const {
    ClientOptions options;
    options.adapters = {twilio(twilio_at(simulator.url()))};
    options.timeout = 500ms;
    options.queue_timeout = 200ms;
    options.policy_timeout = 500ms;
    options.retry.max_attempts = 1;
    SqliteOptions sqlite;
    sqlite.path = database();
    IdempotencyOptions idempotency;
    idempotency.store = sqlite_idempotency_store(sqlite);
    idempotency.finalize_timeout = 500ms;
    idempotency.stale_reservation = 2'000ms;
    options.idempotency = idempotency;
    return options;
  }

  static SendInput message(const std::string& key) {
    SendInput input;
    input.to = "+14155550123";
    input.body = "Message of " + key;
    input.idempotency_key = key;
    return input;
  }

  static std::optional<RecordState> stored(const ClientOptions& options, const std::string& key) {
    const auto view = options.idempotency->store->operators()->show(key, system_clock()->now());
    return view ? std::optional(state_of(view->record)) : std::nullopt;
  }

  template <class Condition>
  static bool eventually(Condition condition) {
    for (int i = 0; i < 1000; ++i) {
      if (condition()) return true;
      std::this_thread::sleep_for(10ms);
    }
    return false;
  }

  static OperatorResult release(const ClientOptions& options, const std::string& key, bool force) {
    auto* const operators = options.idempotency->store->operators();
    const auto view = operators->show(key, system_clock()->now());
    ReleaseRequest request;
    request.key = key;
    request.token = view->token;
    request.note.who = "test";
    request.settle = 0ms;
    request.force = force;
    request.now = system_clock()->now();
    return operators->release(request);
  }

  simulator::Simulator simulator{{}};

 private:
  std::filesystem::path folder_;
};

TEST_F(SentOnce, FiveHundredKeysOfferedEightTimesByFourProcessesMakeFiveHundredMessages) {
  constexpr int keys = 500;
  std::vector<std::unique_ptr<Process>> processes;
  for (int i = 0; i < 4; ++i) {
    processes.push_back(
        worker({"many", database(), simulator.url(), "16", std::to_string(keys), "2", std::to_string(i)}));
  }
  std::map<std::string, int> counts;
  for (auto& process : processes) {
    std::istringstream output(process->finish());
    std::string word;
    int count = 0;
    while (output >> word >> count) counts[word] += count;
    EXPECT_EQ(process->status(), 0);
  }
  EXPECT_EQ(counts["accepted"], keys * 8);
  counts.erase("accepted");
  counts.erase("idempotency_in_progress");
  EXPECT_TRUE(counts.empty()) << counts.begin()->first;
  EXPECT_EQ(simulator.messages(), static_cast<std::size_t>(keys));
  EXPECT_EQ(simulator.requests(), static_cast<std::size_t>(keys));
}

TEST_F(SentOnce, AnswerThreeSecondsAfterTheTimeOutSettlesItsKeyByItself) {
  const auto options = quick_options();
  Client client(options);
  simulator.set_faults(R"([{"action":"create_late","ms":3500,"times":1}])");
  const auto begun = std::chrono::steady_clock::now();
  const auto outcome = client.try_send(message("late"));
  EXPECT_EQ(dynamic_cast<const HandoffUnknownError&>(outcome.error()).reason(), UnknownReason::timeout);
  EXPECT_LT(std::chrono::steady_clock::now() - begun, 2s);
  EXPECT_EQ(stored(options, "late"), RecordState::unknown);
  EXPECT_TRUE(eventually([&] { return stored(options, "late") == RecordState::accepted; }));
  EXPECT_TRUE(client.send(message("late")).replayed);
  EXPECT_EQ(simulator.messages(), 1U);
}

TEST_F(SentOnce, ProviderThatTakesTheMessageAndDiesOnAReusedConnectionLeavesTheKeyUnknown) {
  Client client(quick_options());
  EXPECT_FALSE(client.send(message("warm")).replayed);
  simulator.set_faults(R"([{"action":"create_then_close","how":"rst","match":{"reused":true},"times":1}])");
  const auto outcome = client.try_send(message("dies"));
  EXPECT_EQ(dynamic_cast<const HandoffUnknownError&>(outcome.error()).reason(), UnknownReason::network);
  for (int i = 0; i < 5; ++i) {
    const auto again = client.try_send(message("dies"));
    EXPECT_EQ(dynamic_cast<const HandoffUnknownError&>(again.error()).reason(), UnknownReason::replayed_unknown);
  }
  EXPECT_EQ(simulator.messages_with_body("Message of dies"), 1U);
  EXPECT_EQ(simulator.requests(), 2U);
}

TEST_F(SentOnce, ProviderThatIsDownIsUnreachableAndTheSecondOneDelivers) {
  auto options = quick_options();
  options.adapters = {twilio(twilio_at("http://127.0.0.1:1")), telnyx(telnyx_at(simulator.url()))};
  options.fallback = Fallback::on_known_rejection;
  options.idempotency->stale_reservation = 10s;
  Client client(options);
  const auto result = client.send(message("down"));
  EXPECT_EQ(result.provider, "telnyx");
  ASSERT_EQ(result.attempts.size(), 2U);
  EXPECT_EQ(std::get<Attempt::Rejected>(result.attempts[0].outcome).category, RejectionCategory::unreachable);
  EXPECT_EQ(simulator.messages(), 1U);
}

TEST_F(SentOnce, FullDiskAfterTheRequestStillTellsTheOutcomeAndTheKeyIsNeverSentAgain) {
  const auto options = quick_options();  // Makes the file.
  Client client(options);
  auto process = worker({"full_disk", database(), simulator.url(), "full"});
  EXPECT_EQ(process->finish(), "accepted 1\n") << "the outcome, and one call of on_store_error";
  EXPECT_EQ(stored(options, "full"), RecordState::reserved);
  EXPECT_EQ(client.try_send(message("full")).error().code(), ErrorCode::idempotency_in_progress);
  std::this_thread::sleep_for(2s);
  const auto outcome = client.try_send(message("full"));
  EXPECT_EQ(dynamic_cast<const HandoffUnknownError&>(outcome.error()).reason(), UnknownReason::stale_reservation);
  EXPECT_EQ(simulator.messages(), 1U);
}

TEST_F(SentOnce, ProcessStoppedBeforeItsMarkDoesNotSendAKeyThatAnotherSentMeanwhile) {
  auto process = worker({"stop_in_policy", database(), simulator.url(), "stopped"});
  ASSERT_TRUE(process->wait_stopped());
  const auto options = quick_options();
  Client client(options);
  std::this_thread::sleep_for(2100ms);
  EXPECT_EQ(client.try_send(message("stopped")).error().code(), ErrorCode::handoff_unknown);
  ASSERT_EQ(release(options, "stopped", true), OperatorResult::done);
  EXPECT_FALSE(client.send(message("stopped")).replayed);
  process->signal(SIGCONT);
  EXPECT_THAT(process->finish(), StartsWith("aborted"));
  EXPECT_EQ(simulator.messages(), 1U);
  EXPECT_EQ(simulator.requests(), 1U);
}

TEST_F(SentOnce, ProcessStoppedAfterItsMarkDoesNotSendOnAClaimThatIsTooOld) {
  auto process = worker({"stop_before_request", database(), simulator.url(), "stopped"});
  ASSERT_TRUE(process->wait_stopped());
  const auto options = quick_options();
  Client client(options);
  std::this_thread::sleep_for(2100ms);
  ASSERT_EQ(release(options, "stopped", false), OperatorResult::done);
  EXPECT_FALSE(client.send(message("stopped")).replayed);
  process->signal(SIGCONT);
  EXPECT_THAT(process->finish(), ::testing::AnyOf(StartsWith("aborted"), StartsWith("provider_unreachable")));
  EXPECT_EQ(simulator.messages(), 1U);
  EXPECT_EQ(simulator.requests(), 1U);
}

TEST_F(SentOnce, ProcessKilledBetweenTheAnswerAndItsRecordLeavesAKeyThatAnOperatorResolves) {
  auto process = worker({"kill_after_answer", database(), simulator.url(), "killed"});
  process->finish();
  ASSERT_TRUE(WIFSIGNALED(process->status()));
  const auto options = quick_options();
  Client client(options);
  EXPECT_EQ(client.try_send(message("killed")).error().code(), ErrorCode::idempotency_in_progress);
  std::this_thread::sleep_for(2100ms);
  EXPECT_EQ(client.try_send(message("killed")).error().code(), ErrorCode::handoff_unknown);

  auto* const operators = options.idempotency->store->operators();
  ResolveRequest resolve;
  resolve.key = "killed";
  resolve.token = operators->show("killed", system_clock()->now())->token;
  resolve.provider = "twilio";
  resolve.provider_id = "SM00000000000000000000000000000009";
  resolve.note.who = "test";
  resolve.ttl = 24h;
  resolve.now = system_clock()->now();
  EXPECT_EQ(operators->resolve(resolve), OperatorResult::done);
  EXPECT_EQ(client.send(message("killed")).provider_id, "SM00000000000000000000000000000009");
  EXPECT_EQ(simulator.messages(), 1U);
}

TEST_F(SentOnce, EveryFaultOfTheProviderMakesAtMostOneMessagePerKey) {
  auto options = quick_options();
  options.adapters.push_back(telnyx(telnyx_at(simulator.url())));
  options.fallback = Fallback::on_known_rejection;
  options.idempotency->stale_reservation = 10s;
  Client client(options);
  int number = 0;
  for (const std::string fault :
       {"refuse", "close_before_read", "hang", "close_after_read", "create_then_close", "create_then_hang",
        "create_then_status", "create_then_garbage", "half_response", "reject", "bare_status", "rate_limit",
        "keepalive_then_close", "wrong_content_type", "redirect"}) {
    const auto key = fault + ":" + std::to_string(++number);
    simulator.set_faults(R"([{"action":")" + fault + (fault == "refuse" ? R"(","ms":300}])" : R"(","times":1}])"));
    for (int i = 0; i < 3; ++i) {
      const auto outcome = client.try_send(message(key));
      const auto made = simulator.messages_with_body("Message of " + key);
      EXPECT_LE(made, 1U) << fault;
      if (outcome) {
        EXPECT_EQ(made, 1U) << fault;
      } else if (outcome.error().retry_safe()) {
        EXPECT_EQ(made, 0U) << fault << ": " << outcome.error().what();
      }
    }
  }
}

}  // namespace
}  // namespace sms::tests
