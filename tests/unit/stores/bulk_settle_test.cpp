#include <sms/bulk_settle.hpp>
#include <sms/error.hpp>
#include <sms/stores/memory.hpp>
#include <sms/testing/fake_clock.hpp>

#include "support/operator_stand_in.hpp"
#include "testing/store_probe.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sms::tests {
namespace {

using namespace std::chrono_literals;
using testing::finalize_request;
using testing::owner_1;
using testing::reserve_request;
using Action = Settlement::Action;
using Status = SettlementReport::Status;

/// Keys that became unknown ten minutes ago.
class BulkSettle : public ::testing::Test {
 protected:
  BulkSettle() {
    for (const char* key : {"order:1", "order:2", "order:3"}) make_unknown(key);
    options.now = testing::StoreProbe::now();
    options.who = "ann";
  }

  void make_unknown(const std::string& key, std::chrono::milliseconds ago = 10min) {
    auto claim = reserve_request(key, owner_1);
    auto end = finalize_request(key, owner_1, testing::unknown());
    claim.now -= ago;
    end.now -= ago;
    store->reserve(claim, [](auto answer) { ASSERT_TRUE(answer); });
    store->finalize(end, [](auto answer) { ASSERT_TRUE(answer); });
  }
  RecordState state(const std::string& key) {
    const auto view = operators().show(key, options.now);
    EXPECT_TRUE(view) << key;
    return view ? state_of(view->record) : RecordState::rejected;
  }
  bool there(const std::string& key) { return operators().show(key, options.now).has_value(); }
  std::string token(const std::string& key) { return operators().show(key, options.now)->token; }
  OperatorStore& operators() { return *store->operators(); }
  Settlement accept(const std::string& key, const std::string& provider_id) {
    return {key, token(key), Action::accepted, "twilio", provider_id, "in the portal"};
  }
  Settlement release(const std::string& key) { return {key, token(key), Action::release, "", "", "not in the log"}; }
  std::vector<SettlementReport> settle(const std::vector<Settlement>& all) {
    return bulk_settle(operators(), all, options);
  }

  std::shared_ptr<MemoryIdempotencyStore> store = memory_idempotency_store();
  BulkOptions options;
};

TEST_F(BulkSettle, does_to_each_key_what_its_settlement_says) {
  const auto reports =
      settle({accept("order:1", "SM1"), release("order:2"), {"order:3", "", Action::none, "", "", ""}});
  EXPECT_EQ(reports[0].status, Status::done);
  EXPECT_EQ(reports[1].status, Status::done);
  EXPECT_EQ(reports[2].status, Status::left_alone);
  EXPECT_EQ(state("order:1"), RecordState::accepted);
  EXPECT_FALSE(there("order:2"));
  EXPECT_EQ(state("order:3"), RecordState::unknown);
  const auto audit = operators().audit(10, "order:1");
  ASSERT_EQ(audit.size(), 1U);
  EXPECT_EQ(audit[0].who, "ann");
  EXPECT_EQ(audit[0].why, "in the portal");
}

TEST_F(BulkSettle, does_nothing_twice) {
  const std::vector<Settlement> all{accept("order:1", "SM1"), release("order:2")};
  settle(all);
  make_unknown("order:2");
  const auto again = settle(all);
  EXPECT_EQ(again[0].reason, OperatorResult::changed);
  EXPECT_EQ(again[1].reason, OperatorResult::changed);
  EXPECT_EQ(state("order:2"), RecordState::unknown);
}

TEST_F(BulkSettle, goes_on_after_a_refusal) {
  make_unknown("fresh", 1min);
  const auto reports =
      settle({release("fresh"), accept("order:1", "SM1"), accept("order:2", "SM1"), release("order:3")});
  EXPECT_EQ(reports[0].reason, OperatorResult::not_settled);
  EXPECT_EQ(reports[1].status, Status::done);
  EXPECT_EQ(reports[2].reason, OperatorResult::id_in_use);
  EXPECT_EQ(reports[2].status, Status::refused);
  EXPECT_EQ(reports[3].status, Status::done);
}

TEST_F(BulkSettle, foretells_and_changes_nothing_in_a_dry_run) {
  make_unknown("fresh", 1min);
  options.dry_run = true;
  auto changed = release("order:3");
  changed.token = "another";
  const auto reports = settle({accept("order:1", "SM1"),
                               accept("order:2", "SM1"),
                               release("fresh"),
                               changed,
                               {"order:4", "token", Action::release, "", "", ""}});
  EXPECT_EQ(reports[0].status, Status::done);
  EXPECT_EQ(reports[1].reason, OperatorResult::id_in_use);
  EXPECT_EQ(reports[2].reason, OperatorResult::not_settled);
  EXPECT_EQ(reports[3].reason, OperatorResult::changed);
  EXPECT_EQ(reports[4].reason, OperatorResult::not_found);
  EXPECT_EQ(state("order:1"), RecordState::unknown);
  EXPECT_TRUE(operators().audit(10, std::nullopt).empty());
}

TEST_F(BulkSettle, foretells_the_settling_of_a_stale_reservation) {
  const auto reserve_ago = [&](const std::string& key, std::chrono::milliseconds ago) {
    auto claim = reserve_request(key, owner_1);
    claim.now -= ago;
    store->reserve(claim, [](auto answer) { ASSERT_TRUE(answer); });
  };
  reserve_ago("early", 7min);  // Stale after five minutes, settled after ten.
  reserve_ago("settled", 11min);
  const std::vector<Settlement> all{release("early"), release("settled")};
  options.dry_run = true;
  const auto foretold = settle(all);
  options.dry_run = false;
  const auto real = settle(all);
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(foretold[i].reason, real[i].reason) << all[i].key;
  EXPECT_EQ(real[0].reason, OperatorResult::not_settled);
  EXPECT_EQ(real[1].reason, OperatorResult::done);
}

TEST_F(BulkSettle, changes_nothing_when_one_settlement_lacks_something) {
  auto nameless = accept("order:2", "");
  EXPECT_THROW(settle({release("order:1"), nameless}), ConfigurationError);
  EXPECT_THROW(settle({release("order:1"), {"order:2", "", Action::release, "", "", ""}}), ConfigurationError);
  EXPECT_TRUE(there("order:1"));
}

TEST_F(BulkSettle, tries_nothing_more_when_told_to_stop) {
  std::stop_source stop;
  options.stop = stop.get_token();
  options.on_report = [&](std::size_t, const SettlementReport&) { stop.request_stop(); };
  const auto reports = settle({release("order:1"), release("order:2")});
  EXPECT_EQ(reports[0].status, Status::done);
  EXPECT_EQ(reports[1].status, Status::not_tried);
  EXPECT_TRUE(there("order:2"));
}

TEST(BulkSettleOfADyingStore, calls_the_key_uncertain_and_tries_no_other) {
  struct Dying : OperatorStandIn {
    int calls = 0;
    OperatorResult release(const ReleaseRequest&) override {
      if (++calls == 1) return OperatorResult::done;
      throw StoreUnavailableError("release", "the connection broke");
    }
  } store;
  const Settlement one{"order:1", "token", Action::release, "", "", ""};
  std::vector<std::size_t> reported;
  BulkOptions options;
  options.on_report = [&](std::size_t i, const SettlementReport&) { reported.push_back(i); };
  const auto reports = bulk_settle(store, std::vector{one, one, one, Settlement{}}, options);
  EXPECT_EQ(reports[0].status, Status::done);
  EXPECT_EQ(reports[1].status, Status::uncertain);
  EXPECT_THAT(reports[1].fault, ::testing::HasSubstr("the connection broke"));
  EXPECT_EQ(reports[2].status, Status::not_tried);
  EXPECT_EQ(reports[3].status, Status::left_alone);
  EXPECT_EQ(store.calls, 2);
  EXPECT_THAT(reported, ::testing::ElementsAre(0, 1, 2, 3));
}

}  // namespace
}  // namespace sms::tests
