#include <sms/testing/memory_adapter.hpp>

#include "unit/providers/samples.hpp"

#include <gmock/gmock.h>

#include <thread>

namespace sms::test {
namespace {

using sms::testing::memory;
using sms::testing::MemoryAdapter;
using sms::testing::MemoryAdapterOptions;
using sms::testing::ScriptedOutcome;

struct Attempted {
  std::shared_ptr<AttemptGate> gate = std::make_shared<AttemptGate>();
  std::vector<AdapterOutcome> answers;

  void through(MemoryAdapter& adapter) {
    SendContext context;
    context.gate = gate;
    adapter.send(message_from(), context, [this](Expected<AdapterOutcome> outcome) { answers.push_back(*outcome); });
  }
};

TEST(MemoryAdapter, accepts_everything_and_remembers_it) {
  const auto adapter = memory();
  Attempted first, second;
  first.through(*adapter);
  second.through(*adapter);
  EXPECT_EQ(std::get<Accepted>(first.answers.at(0)).provider_id, "mem_1");
  EXPECT_EQ(std::get<Accepted>(second.answers.at(0)).provider_id, "mem_2");
  EXPECT_EQ(adapter->accepted(), 2U);
  ASSERT_EQ(adapter->sent().size(), 2U);
  EXPECT_EQ(adapter->sent()[0].message.to, message_from().to);
  EXPECT_EQ(first.gate->state(), AttemptGate::State::committed);
}

TEST(MemoryAdapter, follows_its_script_and_then_its_function) {
  MemoryAdapterOptions options;
  options.script = {{Rejected{RejectionCategory::sender, Proof::provider_body, {}, {}}}};
  options.respond = [](const AdapterMessage&) { return ScriptedOutcome{Unknown{UnknownReason::server_error, {}}}; };
  const auto adapter = memory(std::move(options));
  Attempted one, two;
  one.through(*adapter);
  two.through(*adapter);
  EXPECT_TRUE(std::holds_alternative<Rejected>(one.answers.at(0)));
  EXPECT_TRUE(std::holds_alternative<Unknown>(two.answers.at(0)));
  EXPECT_EQ(adapter->accepted(), 0U);
}

TEST(MemoryAdapter, throws_after_the_request_left) {
  const auto adapter = memory();
  adapter->push({Accepted{}, true});
  Attempted attempt;
  EXPECT_THROW(attempt.through(*adapter), std::runtime_error);
  EXPECT_EQ(attempt.gate->state(), AttemptGate::State::committed);
}

TEST(MemoryAdapter, answers_without_committing_where_nothing_is_sent) {
  const auto adapter = memory();
  adapter->push({Rejected{RejectionCategory::unreachable, Proof::transport, {}, {}}, false, false, true});
  Attempted attempt;
  attempt.through(*adapter);
  EXPECT_TRUE(std::holds_alternative<Rejected>(attempt.answers.at(0)));
  EXPECT_EQ(attempt.gate->state(), AttemptGate::State::open);
}

TEST(MemoryAdapter, sends_nothing_through_a_cancelled_gate) {
  const auto adapter = memory();
  Attempted attempt;
  attempt.gate->cancel(AttemptGate::Reason::caller);
  attempt.through(*adapter);
  EXPECT_EQ(std::get<Rejected>(attempt.answers.at(0)).category, RejectionCategory::unreachable);
  EXPECT_EQ(adapter->accepted(), 0U);
}

TEST(MemoryAdapter, a_hanging_attempt_answers_when_it_is_released) {
  const auto adapter = memory();
  adapter->push({Accepted{}, false, true});
  Attempted attempt;
  attempt.through(*adapter);
  EXPECT_TRUE(attempt.answers.empty());
  EXPECT_EQ(adapter->accepted(), 1U);
  std::thread(&MemoryAdapter::release_hung, adapter.get()).join();
  adapter->release_hung();
  ASSERT_EQ(attempt.answers.size(), 1U);
  EXPECT_EQ(std::get<Accepted>(attempt.answers[0]).provider_id, "mem_1");
}

TEST(MemoryAdapter, a_hanging_attempt_ends_when_its_client_has_gone) {
  const auto adapter = memory();
  adapter->push({Accepted{}, false, true});
  Attempted attempt;
  attempt.through(*adapter);
  attempt.gate->abandon();
  adapter->release_hung();
  ASSERT_EQ(attempt.answers.size(), 1U);
  EXPECT_EQ(std::get<Unknown>(attempt.answers[0]).reason, UnknownReason::network);
}

}  // namespace
}  // namespace sms::test
