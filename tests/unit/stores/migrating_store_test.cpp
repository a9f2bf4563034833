#include <sms/error.hpp>
#include <sms/operator_store.hpp>
#include <sms/stores/migrating.hpp>

#include "support/faulty_store.hpp"
#include "unit/stores/sqlite_fixture.hpp"

#include <stdexcept>

namespace sms::tests {
namespace {

class MigratingStoreTest : public SqliteTest {
 protected:
  bool reserved_by(FaultyStore& one, const std::string& key, const std::string& owner) {
    const auto there = peek(one, key);
    const auto* held = there ? std::get_if<ReservedRecord>(&*there) : nullptr;
    return held != nullptr && held->reservation_id == owner;
  }
  std::optional<IdempotencyRecord> peek(FaultyStore& one, const std::string& key) {
    return one.peek(key, testing::StoreProbe::now());
  }
  void settle(IdempotencyStore& one, const std::string& key, const std::string& owner, FinalIdempotencyRecord record) {
    ASSERT_TRUE(claims(one, key, owner));
    ASSERT_TRUE(finalizes(one, finalize_request(key, owner, std::move(record))));
  }
  MarkResult mark(const std::string& key, const std::string& owner) {
    Pending<MarkResult> pending;
    store->evidence()->mark({key, owner, {"twilio", 1, testing::StoreProbe::now()}}, pending.callback());
    return pending.get().value();
  }

  std::shared_ptr<FaultyStore> old_store = std::make_shared<FaultyStore>();
  std::shared_ptr<FaultyStore> new_store = std::make_shared<FaultyStore>();
  std::shared_ptr<IdempotencyStore> store = migrating_store(old_store, new_store);
};

TEST_F(MigratingStoreTest, claims_in_both_stores) {
  EXPECT_TRUE(claims(*store, "order:1", owner_1));
  EXPECT_TRUE(reserved_by(*old_store, "order:1", owner_1));
  EXPECT_TRUE(reserved_by(*new_store, "order:1", owner_1));
  EXPECT_TRUE(claims(*store, "order:1", owner_1)) << "again under the same ID";
  EXPECT_FALSE(claims(*store, "order:1", owner_2));
}

TEST_F(MigratingStoreTest, leaves_the_new_store_alone_when_the_old_one_has_the_key) {
  ASSERT_TRUE(claims(*old_store, "order:1", owner_2));
  EXPECT_FALSE(claims(*store, "order:1", owner_1));
  EXPECT_EQ(new_store->calls(Operation::reserve), 0);
}

TEST_F(MigratingStoreTest, gives_the_old_claim_back_when_the_new_store_has_the_key) {
  settle(*new_store, "order:1", owner_2, accepted());
  const auto answer = reserve(*store, reserve_request("order:1", owner_1)).get();
  ASSERT_TRUE(answer);
  EXPECT_EQ(std::get<Existing>(*answer).record, to_record(accepted()));
  EXPECT_FALSE(reserved_by(*old_store, "order:1", owner_1));
  testing::StoreProbe::wait(2ms);
  EXPECT_FALSE(peek(*old_store, "order:1"));
}

TEST_F(MigratingStoreTest, gives_the_old_claim_back_when_the_new_store_fails) {
  new_store->next(Operation::reserve, Fault::fail);
  EXPECT_FALSE(reserve(*store, reserve_request("order:1", owner_1)).get());
  EXPECT_FALSE(reserved_by(*old_store, "order:1", owner_1));
  EXPECT_TRUE(claims(*store, "order:1", owner_1)) << "the same send tries again";
}

TEST_F(MigratingStoreTest, claims_no_more_under_an_id_that_may_still_be_given_back) {
  new_store->next(Operation::reserve, Fault::fail);
  old_store->next(Operation::finalize, Fault::fail);
  EXPECT_FALSE(reserve(*store, reserve_request("order:1", owner_1)).get());
  EXPECT_FALSE(reserve(*store, reserve_request("order:1", owner_1)).get());
  EXPECT_EQ(new_store->calls(Operation::reserve), 1);
}

TEST_F(MigratingStoreTest, gives_nothing_back_once_the_claim_was_granted) {
  ASSERT_TRUE(claims(*store, "order:1", owner_1));
  new_store->next(Operation::reserve, Fault::fail);
  EXPECT_FALSE(reserve(*store, reserve_request("order:1", owner_1)).get());
  EXPECT_TRUE(reserved_by(*old_store, "order:1", owner_1));
}

TEST_F(MigratingStoreTest, answers_the_failure_of_the_old_store_without_a_claim_in_the_new_one) {
  old_store->next(Operation::reserve, Fault::lose_reply);
  EXPECT_FALSE(reserve(*store, reserve_request("order:1", owner_1)).get());
  EXPECT_EQ(new_store->calls(Operation::reserve), 0);
  EXPECT_TRUE(claims(*store, "order:1", owner_1));
}

TEST_F(MigratingStoreTest, shows_the_stronger_record) {
  const std::vector<FinalIdempotencyRecord> by_strength{accepted(), unknown(), rejected()};
  for (std::size_t weak = 1; weak < by_strength.size(); ++weak) {
    for (std::size_t strong = 0; strong < weak; ++strong) {
      const std::string key = std::to_string(weak) + std::to_string(strong);
      settle(*old_store, key, owner_1, by_strength[weak]);
      settle(*new_store, key, owner_1, by_strength[strong]);
      EXPECT_EQ(get(*store, key).value(), to_record(by_strength[strong]));
    }
  }
  settle(*old_store, "held", owner_1, rejected());
  ASSERT_TRUE(claims(*new_store, "held", owner_2));
  EXPECT_EQ(state_of(*get(*store, "held").value()), RecordState::reserved);
  settle(*old_store, "both", owner_1, accepted("SM1"));
  settle(*new_store, "both", owner_1, accepted("SM2"));
  EXPECT_EQ(get(*store, "both").value(), to_record(accepted("SM1")));
}

TEST_F(MigratingStoreTest, takes_a_store_that_cannot_be_read_for_no_absence) {
  new_store->next(Operation::get, Fault::fail);
  EXPECT_FALSE(get(*store, "order:1"));
  old_store->next(Operation::get, Fault::fail);
  EXPECT_FALSE(get(*store, "order:1"));
}

TEST_F(MigratingStoreTest, has_finalized_only_what_both_have) {
  ASSERT_TRUE(claims(*store, "order:1", owner_1));
  old_store->next(Operation::finalize, Fault::fail);
  const auto request = finalize_request("order:1", owner_1, accepted());
  EXPECT_FALSE(finalize(*store, request).get());
  EXPECT_EQ(peek(*new_store, "order:1"), to_record(accepted())) << "what can be kept is kept";
  EXPECT_TRUE(finalizes(*store, request)) << "the repetition";
  EXPECT_EQ(peek(*old_store, "order:1"), to_record(accepted()));

  ASSERT_TRUE(claims(*old_store, "order:2", owner_1));
  EXPECT_EQ(finalize(*store, finalize_request("order:2", owner_1, accepted())).get().value(),
            FinalizeResult::not_owner);
}

TEST_F(MigratingStoreTest, lets_nobody_send_whose_mark_one_store_refuses) {
  ASSERT_TRUE(claims(*store, "order:1", owner_1));
  EXPECT_EQ(mark("order:1", owner_1), MarkResult::marked);
  new_store->inner().erase("order:1");
  EXPECT_EQ(mark("order:1", owner_1), MarkResult::not_owner);
  ASSERT_TRUE(claims(*store, "order:2", owner_1));
  old_store->inner().erase("order:2");
  EXPECT_EQ(mark("order:2", owner_1), MarkResult::not_owner);
}

TEST_F(MigratingStoreTest, reports_a_duplicate_that_either_store_sees) {
  settle(*old_store, "order:1", owner_1, accepted("SM1"));
  settle(*new_store, "order:1", owner_1, accepted("SM2"));
  Pending<SettleResult> settled;
  store->evidence()->settle(finalize_request("order:1", owner_1, accepted("SM1")), settled.callback());
  EXPECT_EQ(settled.get().value(), SettleResult::duplicate_detected);
}

TEST_F(MigratingStoreTest, keeps_out_a_client_of_one_store_alone) {
  ASSERT_TRUE(claims(*store, "order:1", owner_1));
  EXPECT_FALSE(claims(*old_store, "order:1", owner_2));
  EXPECT_FALSE(claims(*new_store, "order:1", owner_2));
}

TEST_F(MigratingStoreTest, needs_two_stores) {
  EXPECT_THROW(migrating_store(nullptr, new_store), ConfigurationError);
  EXPECT_THROW(migrating_store(old_store, nullptr), ConfigurationError);
  EXPECT_THROW(migrating_store(old_store, old_store), ConfigurationError);
}

TEST_F(MigratingStoreTest, answers_what_a_store_throws) {
  class Thrower final : public IdempotencyStore {
   public:
    void get(std::string, WallTime, Callback<std::optional<IdempotencyRecord>>) override {
      throw std::runtime_error("x");
    }
    void reserve(ReserveRequest, Callback<ReserveResult>) override { throw std::runtime_error("x"); }
    void finalize(FinalizeRequest, Callback<FinalizeResult>) override { throw std::runtime_error("x"); }
  };
  store = migrating_store(old_store, std::make_shared<Thrower>());
  EXPECT_FALSE(reserve(*store, reserve_request("order:1", owner_1)).get());
  EXPECT_FALSE(reserved_by(*old_store, "order:1", owner_1));
  EXPECT_FALSE(get(*store, "order:1"));
  EXPECT_EQ(store->evidence(), nullptr);
}

}  // namespace
}  // namespace sms::tests
