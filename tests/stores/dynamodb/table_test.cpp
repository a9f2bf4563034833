#include "stores/dynamodb/dynamo_fixture.hpp"

#include <algorithm>

namespace sms::tests {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Level = StoreFinding::Level;

class DynamoTableTest : public DynamoTest {
 protected:
  std::string why_no_claim(const std::shared_ptr<IdempotencyStore>& store, const std::string& key = "order:1") {
    return why_not([&] { probe(store).claims(key, owner_1); });
  }
  /// Makes the store look at its table again, as it does when the table seems to be gone.
  void let_doubt(const std::shared_ptr<IdempotencyStore>& store) {
    refuse("ResourceNotFoundException", "never used before");
    EXPECT_NE(why_not([&] { probe(store).get("never used before"); }), "");
  }
  /// After its writes a store moves the mark of the store once, and then every few seconds.
  void wait_for_mark() {
    ASSERT_TRUE(eventually([&] {
      const auto item = stub.item("keys", std::string(256, '.') + "sms-sdk/store");
      return item && item->at("high_water").at("N") != "0";
    }));
  }
  static const StoreFinding* finding(const std::vector<StoreFinding>& findings, Level level) {
    const auto at = std::ranges::find(findings, level, &StoreFinding::level);
    return at == findings.end() ? nullptr : &*at;
  }
};

TEST_F(DynamoTableTest, a_table_that_is_not_there_makes_the_store_unavailable_until_it_is) {
  const auto store = dynamodb_idempotency_store(stub_options(stub));
  EXPECT_THAT(why_no_claim(store), HasSubstr("ResourceNotFoundException"));
  EXPECT_THAT(why_not([&] { static_cast<void>(store->identity()); }), HasSubstr("ResourceNotFoundException"));
  store->maintenance()->migrate();
  EXPECT_THAT(why_no_claim(store), IsEmpty());
  EXPECT_EQ(store->identity().size(), 32U);
}

TEST_F(DynamoTableTest, a_migration_can_be_repeated_while_the_table_is_in_use) {
  const auto store = open();
  EXPECT_THAT(why_no_claim(store), IsEmpty());
  const auto identity = store->identity();
  const auto other = open();
  EXPECT_EQ(other->identity(), identity);
  EXPECT_FALSE(probe(other).claims("order:1", owner_2));
}

TEST_F(DynamoTableTest, a_server_without_time_to_live_will_do) {
  DynamoStubOptions old;
  old.time_to_live_known = false;
  const DynamoStub other(old);
  const auto store = dynamodb_idempotency_store(stub_options(other));
  store->maintenance()->migrate();
  EXPECT_THAT(why_no_claim(store), IsEmpty());
}

TEST_F(DynamoTableTest, the_migration_is_what_migrate_sends) {
  const auto store = dynamodb_idempotency_store(stub_options(stub));
  const auto migration = boost::json::parse(store->maintenance()->migration());
  EXPECT_EQ(migration.at("CreateTable").at("TableName"), "keys");
  EXPECT_EQ(migration.at("UpdateTimeToLive").at("TimeToLiveSpecification").at("AttributeName"), "ttl");
  EXPECT_EQ(stub.received("CreateTable"), 0);
}

TEST_F(DynamoTableTest, a_table_with_replicas_is_refused_outside_its_home_region) {
  open();
  stub.set_replicas(true);
  EXPECT_THAT(why_no_claim(dynamodb_idempotency_store(stub_options(stub))), HasSubstr("replicas"));
  auto elsewhere = stub_options(stub);
  elsewhere.home_region = "us-east-1";
  EXPECT_THAT(why_no_claim(dynamodb_idempotency_store(elsewhere)), HasSubstr("replicas"));
  auto home = stub_options(stub);
  home.home_region = "eu-west-1";
  const auto store = dynamodb_idempotency_store(home);
  EXPECT_THAT(why_no_claim(store), IsEmpty());
  const auto findings = store->maintenance()->examine();
  ASSERT_NE(finding(findings, Level::warning), nullptr);
}

TEST_F(DynamoTableTest, keys_of_the_store_itself_are_listed_nowhere) {
  const auto store = open();
  EXPECT_THAT(why_no_claim(store), IsEmpty());
  ListRequest all;
  all.filter = KeyFilter::all;
  EXPECT_EQ(store->operators()->list(all).keys.size(), 1U);
  EXPECT_EQ(store->operators()->stats(StoreProbe::now()).reserved, 1U);
}

TEST_F(DynamoTableTest, an_emptied_table_is_not_the_store_that_it_was) {
  const auto store = open();
  EXPECT_THAT(why_no_claim(store), IsEmpty());
  stub.erase_item("keys", std::string(256, '.') + "sms-sdk/store");
  stub.erase_item("keys", "order:1");
  let_doubt(store);
  EXPECT_THAT(why_no_claim(store), HasSubstr("empty"));
  EXPECT_FALSE(stub.item("keys", "order:1"));
}

TEST_F(DynamoTableTest, another_store_in_its_place_is_refused_until_that_is_acknowledged) {
  const auto store = open();
  const auto identity = store->identity();
  stub.erase_item("keys", std::string(256, '.') + "sms-sdk/store");
  const auto another = open();
  EXPECT_NE(another->identity(), identity);
  let_doubt(store);
  EXPECT_THAT(why_no_claim(store), HasSubstr("another store"));
  another->maintenance()->acknowledge_restore({"operator@example", "moved"});
  EXPECT_TRUE(eventually([&] { return why_no_claim(store).empty(); }));
  EXPECT_EQ(store->identity(), another->identity());
}

TEST_F(DynamoTableTest, a_store_that_went_back_in_time_is_refused_until_that_is_acknowledged) {
  const auto store = open();
  stub.snapshot();
  EXPECT_THAT(why_no_claim(store), IsEmpty());
  wait_for_mark();
  stub.restore();
  let_doubt(store);
  EXPECT_THAT(why_no_claim(store), AllOf(HasSubstr("back in time"), HasSubstr("acknowledge")));
  // A client that knows nothing of it moves the mark on. That heals nothing.
  const auto ignorant = open();
  EXPECT_THAT(why_no_claim(ignorant, "order:2"), IsEmpty());
  wait_for_mark();
  StoreProbe::wait(300ms);
  EXPECT_THAT(why_no_claim(store), HasSubstr("back in time"));

  store->maintenance()->acknowledge_restore({"operator@example", "power cut"});
  EXPECT_THAT(why_no_claim(store), IsEmpty());
  const auto rows = store->operators()->audit(10, std::nullopt);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows.front().who, "operator@example");
}

TEST_F(DynamoTableTest, a_restored_copy_of_the_table_is_refused_by_everybody_until_that_is_acknowledged) {
  const auto store = open();
  stub.replace_table("keys");
  const auto fresh = dynamodb_idempotency_store(stub_options(stub));
  EXPECT_THAT(why_no_claim(fresh), HasSubstr("restored or copied"));
  fresh->maintenance()->acknowledge_restore({"operator@example", "restored from yesterday's backup"});
  EXPECT_THAT(why_no_claim(fresh), IsEmpty());
}

TEST_F(DynamoTableTest, a_store_that_cannot_be_reached_is_a_finding) {
  auto options = stub_options(stub);
  options.operation_timeout = 200ms;
  const auto store = open(options);
  EXPECT_EQ(finding(store->maintenance()->examine(), Level::problem), nullptr);
  fault(Kind::cut, {}, 0);
  const auto findings = store->maintenance()->examine();
  const auto* problem = finding(findings, Level::problem);
  ASSERT_NE(problem, nullptr);
  EXPECT_THAT(problem->text, HasSubstr("in time"));
}

TEST_F(DynamoTableTest, a_service_starts_while_the_server_is_away) {
  auto options = stub_options(stub);
  open();
  options.operation_timeout = 300ms;
  fault(Kind::cut, {}, 0);
  const auto store = dynamodb_idempotency_store(options);
  EXPECT_THAT(why_no_claim(store), HasSubstr("in time"));
  stub.clear_faults();
  EXPECT_TRUE(eventually([&] { return why_no_claim(store).empty(); }));
}

}  // namespace
}  // namespace sms::tests
