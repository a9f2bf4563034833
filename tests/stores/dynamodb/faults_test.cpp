#include "stores/dynamodb/dynamo_fixture.hpp"

#include <future>

namespace sms::tests {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class DynamoFaultsTest : public DynamoTest {
 protected:
  DynamodbOptions impatient(std::chrono::milliseconds time) {
    auto options = stub_options(stub);
    options.operation_timeout = time;
    return options;
  }
};

TEST_F(DynamoFaultsTest, throttled_requests_are_made_again) {
  auto store = probe(open());
  fault(Kind::throttle, of_claim, 3);
  fault(Kind::throttle, of_final, 2);
  EXPECT_TRUE(store.claims("order:1", owner_1));
  EXPECT_EQ(store.finalize(finalize_request("order:1", owner_1, accepted())), FinalizeResult::finalized);
}

TEST_F(DynamoFaultsTest, server_errors_and_cut_connections_are_made_good) {
  auto store = probe(open());
  DynamoFault internal;
  internal.kind = Kind::error;
  internal.part = of_claim;
  stub.add_fault(internal);
  fault(Kind::cut, of_claim, 2);
  EXPECT_TRUE(store.claims("order:1", owner_1));
}

TEST_F(DynamoFaultsTest, a_table_that_stays_throttled_is_unavailable_in_time_and_nothing_leaves_later) {
  const auto opened = open(impatient(400ms));
  auto store = probe(opened);
  fault(Kind::throttle, of_claim, 0);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_THAT(
      why_not([&] { store.claims("order:1", owner_1); }),
      AllOf(HasSubstr("in time"), HasSubstr("ProvisionedThroughputExceededException"), Not(HasSubstr("order:1"))));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 5s);
  stub.clear_faults();
  const int received = stub.received("UpdateItem");
  EXPECT_FALSE(store.get("order:1"));
  EXPECT_EQ(stub.received("UpdateItem"), received);
}

TEST_F(DynamoFaultsTest, a_claim_whose_answer_was_lost_is_still_ours_and_keeps_its_time) {
  auto store = probe(open());
  fault(Kind::lose_answer, of_claim, 2);
  EXPECT_TRUE(store.claims("order:1", owner_1));
  EXPECT_EQ(attribute("order:1", "reservation_id"), owner_1);
  EXPECT_LE(std::stoll(attribute("order:1", "reserved_at")), std::stoll(attribute("order:1", "updated_at")));
  EXPECT_FALSE(store.claims("order:1", owner_2));
}

TEST_F(DynamoFaultsTest, a_repeated_claim_is_proved_by_a_write) {
  auto store = probe(open());
  EXPECT_TRUE(store.claims("order:1", owner_1));
  const auto reserved_at = attribute("order:1", "reserved_at");
  const auto updated_at = attribute("order:1", "updated_at");
  StoreProbe::wait(5ms);
  EXPECT_TRUE(store.claims("order:1", owner_1));
  EXPECT_EQ(attribute("order:1", "reserved_at"), reserved_at);
  EXPECT_NE(attribute("order:1", "updated_at"), updated_at);
}

TEST_F(DynamoFaultsTest, lost_answers_of_later_writes_change_nothing) {
  auto store = probe(open());
  EXPECT_TRUE(store.claims("order:1", owner_1));
  fault(Kind::lose_answer, of_mark);
  EXPECT_EQ(store.mark({"order:1", owner_1, {"twilio", 1, StoreProbe::now()}}), MarkResult::marked);
  fault(Kind::lose_answer, of_final, 2);
  EXPECT_EQ(store.finalize(finalize_request("order:1", owner_1, accepted())), FinalizeResult::finalized);
  EXPECT_EQ(store.finalize(finalize_request("order:1", owner_1, unknown())), FinalizeResult::not_owner);
  EXPECT_EQ(store.get("order:1"), to_record(accepted()));
}

TEST_F(DynamoFaultsTest, evidence_whose_answer_was_lost_has_settled_the_key) {
  auto store = probe(open());
  fault(Kind::lose_answer, of_final);
  EXPECT_EQ(store.settle(finalize_request("order:1", owner_1, accepted())), SettleResult::settled);
  EXPECT_EQ(store.settle(finalize_request("order:1", owner_1, accepted())), SettleResult::kept);
}

TEST_F(DynamoFaultsTest, a_change_of_an_operator_whose_answer_was_lost_is_done_once) {
  const auto opened = open();
  auto store = probe(opened);
  auto& operators = *opened->operators();
  for (const auto* key : {"order:1", "order:2"}) store.store_final(key, owner_1, unknown());
  fault(Kind::lose_answer, "#audit = :audit", 1);
  EXPECT_EQ(operators.resolve(testing::resolve_request(store, "order:1", "SM1")), OperatorResult::done);
  fault(Kind::lose_answer, "SET #released_at", 1);
  EXPECT_EQ(operators.release(testing::release_request(store, "order:2")), OperatorResult::done);
  EXPECT_EQ(operators.audit(10, std::nullopt).size(), 2U);
  EXPECT_TRUE(store.claims("order:2", owner_2));
}

TEST_F(DynamoFaultsTest, a_server_that_does_not_say_what_is_there_is_asked_by_a_consistent_read) {
  auto store = probe(open());
  EXPECT_TRUE(store.claims("order:1", owner_1));
  fault(Kind::hide_item, of_claim, 0);
  const int reads = stub.executed("GetItem");
  const auto answer = store.reserve(reserve_request("order:1", owner_2));
  ASSERT_TRUE(std::holds_alternative<Existing>(answer));
  EXPECT_EQ(std::get<ReservedRecord>(std::get<Existing>(answer).record).reservation_id, owner_1);
  EXPECT_EQ(stub.executed("GetItem"), reads + 1);
  EXPECT_TRUE(store.claims("order:1", owner_1)) << "our own claim, found by the read";
}

TEST_F(DynamoFaultsTest, a_key_that_became_free_between_refusal_and_read_is_claimed) {
  auto store = probe(open());
  EXPECT_TRUE(store.claims("order:1", owner_1));
  fault(Kind::hide_item, of_claim);
  DynamoFault slow;
  slow.kind = Kind::delay_execution;
  slow.action = "GetItem";
  slow.delay = 300ms;
  stub.add_fault(slow);
  const int reads = stub.received("GetItem");
  auto answer = std::async(std::launch::async, [&] { return store.claims("order:1", owner_2); });
  ASSERT_TRUE(eventually([&] { return stub.received("GetItem") > reads; }));
  stub.erase_item("keys", "order:1");
  EXPECT_TRUE(answer.get());
  EXPECT_EQ(attribute("order:1", "reservation_id"), owner_2);
}

TEST_F(DynamoFaultsTest, a_claim_that_arrives_after_it_was_given_back_changes_nothing) {
  auto store = probe(open(impatient(1'500ms)));
  fault(Kind::delay_execution, of_claim, 1, 1'000ms);
  const int executed = stub.executed("UpdateItem");
  EXPECT_TRUE(store.claims("order:1", owner_1)) << "by the second try";
  EXPECT_EQ(store.finalize(finalize_request("order:1", owner_1, rejected())), FinalizeResult::finalized);
  // The second try, the mark of the store, the outcome, and now the late one.
  ASSERT_TRUE(eventually([&] { return stub.executed("UpdateItem") >= executed + 4; }));
  EXPECT_EQ(attribute("order:1", "state"), "rejected");
  EXPECT_TRUE(store.claims("order:1", owner_2)) << "the same message may be sent again";
}

TEST_F(DynamoFaultsTest, a_claim_that_arrives_after_everybody_gave_up_can_be_given_back) {
  auto store = probe(open(impatient(300ms)));
  fault(Kind::delay_execution, of_claim, 0, 1'000ms);
  EXPECT_THAT(why_not([&] { store.claims("order:1", owner_1); }), HasSubstr("in time"));
  stub.clear_faults();
  EXPECT_EQ(store.finalize(finalize_request("order:1", owner_1, rejected())), FinalizeResult::not_owner);
  ASSERT_TRUE(eventually([&] { return attribute("order:1", "reservation_id") == owner_1; }));
  EXPECT_EQ(store.finalize(finalize_request("order:1", owner_1, rejected())), FinalizeResult::finalized);
}

TEST_F(DynamoFaultsTest, a_malformed_item_is_held_and_listed_and_an_unreadable_one_is_no_free_key) {
  const auto opened = open();
  auto store = probe(opened);
  const auto text = [](const char* value) { return boost::json::object{{"S", value}}; };
  stub.put_item("keys", {{"key", text("no owner")}, {"state", text("reserved")}, {"fingerprint", text("f")}});
  stub.put_item("keys", {{"key", text("fifth")}, {"state", text("sent")}, {"fingerprint", text("f")}});
  EXPECT_FALSE(store.claims("no owner", owner_1));
  EXPECT_THAT(why_not([&] { store.claims("fifth", owner_1); }), HasSubstr("cannot be read"));
  EXPECT_THAT(why_not([&] { store.get("fifth"); }), HasSubstr("cannot be read"));
  stub.erase_item("keys", "fifth");
  ListRequest request;
  request.now = StoreProbe::now();
  const auto page = opened->operators()->list(request);
  ASSERT_EQ(page.keys.size(), 1U);
  EXPECT_TRUE(page.keys.front().malformed);
}

TEST_F(DynamoFaultsTest, an_audit_row_is_part_of_the_change_even_where_its_copy_fails) {
  const auto opened = open();
  auto store = probe(opened);
  auto& operators = *opened->operators();
  store.store_final("order:1", owner_1, unknown());
  refuse("AccessDeniedException", "audit/", 0);
  EXPECT_EQ(operators.release(testing::release_request(store, "order:1")), OperatorResult::done);
  EXPECT_FALSE(store.get("order:1"));
  ASSERT_EQ(operators.audit(10, std::nullopt).size(), 1U);
  EXPECT_TRUE(store.claims("order:1", owner_2)) << "what is left of a released key is no record";
  stub.clear_faults();
  EXPECT_EQ(store.finalize(finalize_request("order:1", owner_2, unknown())), FinalizeResult::finalized);
  EXPECT_EQ(operators.release(testing::release_request(store, "order:1")), OperatorResult::done);
  const auto rows = operators.audit(10, std::nullopt);
  ASSERT_EQ(rows.size(), 2U) << "the next change copies the row before it writes its own";
  EXPECT_FALSE(stub.item("keys", "order:1")) << "nothing is left of a released key";
}

TEST_F(DynamoFaultsTest, destruction_answers_what_is_outstanding_at_once) {
  auto opened = open();
  fault(Kind::delay_answer, of_claim, 0, 3'000ms);
  std::promise<Expected<ReserveResult>> promise;
  auto answer = promise.get_future();
  opened->reserve(reserve_request("order:1", owner_1),
                  [&](Expected<ReserveResult> result) { promise.set_value(std::move(result)); });
  ASSERT_TRUE(eventually([&] { return attribute("order:1", "state") == "reserved"; }));
  const auto begin = std::chrono::steady_clock::now();
  opened.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 2s);
  ASSERT_EQ(answer.wait_for(0s), std::future_status::ready);
  EXPECT_THAT(why_not([&] { answer.get().value(); }), HasSubstr("closed"));
}

TEST_F(DynamoFaultsTest, the_last_owner_may_let_go_inside_a_callback) {
  auto opened = open();
  std::promise<void> promise;
  auto gone = promise.get_future();
  auto* store = opened.get();
  store->reserve(reserve_request("order:1", owner_1), [&, last = std::move(opened)](Expected<ReserveResult>) mutable {
    last.reset();
    promise.set_value();
  });
  EXPECT_EQ(gone.wait_for(20s), std::future_status::ready);
}

TEST_F(DynamoFaultsTest, a_blocking_call_inside_a_callback_is_refused) {
  const auto opened = open();
  std::promise<std::string> promise;
  auto answer = promise.get_future();
  opened->reserve(reserve_request("order:1", owner_1), [&](const Expected<ReserveResult>&) {
    promise.set_value(why_not([&] { opened->operators()->stats(StoreProbe::now()); }));
  });
  EXPECT_THAT(answer.get(), HasSubstr("inside a callback"));
}

/// A transport whose answers to claims are about another key.
class CrossedTransport final : public Transport {
 public:
  void exchange(HttpRequest request, ExchangeOptions options, std::shared_ptr<AttemptGate> gate,
                Callback<HttpExchange> done) override {
    auto answer = std::make_shared<Callback<HttpExchange>>(std::move(done));
    good_->exchange(std::move(request), options, std::move(gate), [answer](Expected<HttpExchange> result) {
      if (result) {
        if (const auto at = result->body.find("order:1"); at != std::string::npos)
          result->body.replace(at, 7, "order:2");
      }
      (*answer)(std::move(result));
    });
  }

 private:
  std::shared_ptr<Transport> good_ = curl_transport();
};

TEST_F(DynamoFaultsTest, an_answer_about_another_key_is_no_answer) {
  auto options = stub_options(stub);
  options.transport = std::make_shared<CrossedTransport>();
  auto store = probe(open(options));
  EXPECT_THAT(why_not([&] { store.claims("order:1", owner_1); }), HasSubstr("another question"));
  EXPECT_THAT(why_not([&] { store.get("order:1"); }), HasSubstr("another question"));
}

}  // namespace
}  // namespace sms::tests
