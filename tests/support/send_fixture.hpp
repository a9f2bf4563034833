#pragma once

#include <sms/sms.hpp>
#include <sms/testing/fake_clock.hpp>
#include <sms/testing/memory_adapter.hpp>

#include "support/faulty_store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace sms::tests {

using namespace std::chrono_literals;

/// Runs what was posted only when told to: policies and hooks at a known moment.
class StepExecutor final : public Executor {
 public:
  void post(UniqueFunction<void()> work) override { works_.push_back(std::move(work)); }
  void run() {
    while (!works_.empty()) {
      auto work = std::move(works_.front());
      works_.pop_front();
      work();
    }
  }

 private:
  std::deque<UniqueFunction<void()>> works_;
};

/// The answer of one asynchronous send.
struct Answer {
  std::optional<SendOutcome> outcome;
  int times = 0;

  bool pending() const { return !outcome; }
  bool accepted() const { return outcome && outcome->has_value(); }
  const SendResult& result() const { return outcome->operator*(); }
  const Error& error() const { return outcome->error(); }
  template <class E>
  const E& as() const {
    return dynamic_cast<const E&>(outcome->error());
  }
};

/// One client over an in-memory adapter, a store that can fail and a clock that stands still: every interleaving of a
/// send can be played step by step on one thread.
class SendTest : public ::testing::Test {
 protected:
  SendTest() {
    options.adapters = {adapter};
    options.clock = clock;
    options.executor = executor;
    options.timeout = 10s;
    IdempotencyOptions idempotency;
    idempotency.store = store;
    options.idempotency = idempotency;
  }
  ~SendTest() override {
    // Every send ends within its bounds: let them pass.
    forget_client();
    executor->run();
    clock->advance(1h);
    executor->run();
  }

  static std::shared_ptr<testing::MemoryAdapter> memory_adapter(std::string name) {
    testing::MemoryAdapterOptions made;
    made.name = std::move(name);
    return testing::memory(std::move(made));
  }

  Client& client() {
    if (!client_) client_.emplace(options, nullptr);
    return *client_;
  }
  void forget_client() { client_.reset(); }

  static SendInput message(std::string key = "order:1", std::string body = "Your order has shipped") {
    SendInput input;
    input.to = "+14155550123";
    input.body = std::move(body);
    if (!key.empty()) input.idempotency_key = std::move(key);
    return input;
  }

  std::shared_ptr<Answer> start(SendInput input, SendOptions send_options = {}) {
    return start_on(client(), std::move(input), std::move(send_options));
  }
  static std::shared_ptr<Answer> start_on(Client& on, SendInput input, SendOptions send_options = {}) {
    auto answer = std::make_shared<Answer>();
    on.async_send(std::move(input), std::move(send_options), [answer](SendOutcome outcome) {
      answer->outcome = std::move(outcome);
      ++answer->times;
    });
    return answer;
  }

  std::optional<RecordState> stored(const std::string& key = "order:1") {
    const auto record = store->peek(key, clock->now());
    return record ? std::optional(state_of(*record)) : std::nullopt;
  }

  static testing::ScriptedOutcome rejects(RejectionCategory category, Proof proof = Proof::provider_body,
                                          std::optional<std::chrono::milliseconds> retry_after = {}) {
    Rejected rejected;
    rejected.category = category;
    rejected.proof = proof;
    rejected.retry_after = retry_after;
    rejected.details.provider = "memory";
    testing::ScriptedOutcome scripted;
    scripted.outcome = rejected;
    return scripted;
  }
  static testing::ScriptedOutcome unknown(UnknownReason reason) {
    testing::ScriptedOutcome scripted;
    scripted.outcome = Unknown{reason, {}};
    return scripted;
  }
  static testing::ScriptedOutcome hangs(AdapterOutcome outcome = Accepted{}) {
    testing::ScriptedOutcome scripted;
    scripted.outcome = std::move(outcome);
    scripted.hangs = true;
    return scripted;
  }

  /// What another process does to a key.
  void reserve_elsewhere(const std::string& reservation_id, const SendInput& input) {
    ReserveRequest request;
    request.key = *input.idempotency_key;
    request.fingerprint = fingerprint(input, options.adapters);
    request.reservation_id = reservation_id;
    request.now = clock->now();
    store->inner().reserve(request, [](auto answer) { ASSERT_TRUE(std::holds_alternative<Reserved>(answer.value())); });
  }
  void finalize_elsewhere(const std::string& reservation_id, const std::string& key, FinalIdempotencyRecord record) {
    FinalizeRequest request;
    request.key = key;
    request.reservation_id = reservation_id;
    request.record = std::move(record);
    request.ttl = 24h;
    request.now = clock->now();
    store->inner().finalize(request, [](auto answer) { ASSERT_EQ(answer.value(), FinalizeResult::finalized); });
  }
  AcceptedRecord accepted_record(const SendInput& input, const std::string& provider_id) {
    AcceptedRecord record;
    record.fingerprint = fingerprint(input, options.adapters);
    record.result.id = "sms_00000000000000000000000000000001";
    record.result.provider = "memory";
    record.result.provider_id = provider_id;
    return record;
  }

  std::shared_ptr<testing::FakeClock> clock = std::make_shared<testing::FakeClock>();
  std::shared_ptr<StepExecutor> executor = std::make_shared<StepExecutor>();
  std::shared_ptr<FaultyStore> store = std::make_shared<FaultyStore>();
  std::shared_ptr<testing::MemoryAdapter> adapter = memory_adapter("memory");
  ClientOptions options;

 private:
  std::optional<Client> client_;
};

}  // namespace sms::tests
