#include <sms/copy_store.hpp>
#include <sms/error.hpp>
#include <sms/operator_store.hpp>
#include <sms/stores/memory.hpp>

#include "support/faulty_store.hpp"
#include "unit/stores/sqlite_fixture.hpp"

namespace sms::tests {
namespace {

using ::testing::ElementsAre;

/// From a SQLite file into another store.
class CopyStore : public SqliteTest {
 protected:
  void settle(IdempotencyStore& store, const std::string& key, const std::string& owner, FinalIdempotencyRecord record,
              std::chrono::milliseconds ttl = 1h) {
    ASSERT_TRUE(claims(store, key, owner));
    ASSERT_TRUE(finalizes(store, finalize_request(key, owner, std::move(record), ttl)));
  }
  void fill(IdempotencyStore& store) {
    ASSERT_TRUE(claims(store, "held", owner_1));
    Pending<MarkResult> marked;
    store.evidence()->mark({"held", owner_1, {"twilio", 2, testing::StoreProbe::now()}}, marked.callback());
    ASSERT_TRUE(marked.get());
    settle(store, "sent", owner_1, accepted());
    settle(store, "refused", owner_1, rejected());
    settle(store, "open", owner_1, unknown());
  }
  CopyReport copy(IdempotencyStore& target, bool dry_run = false) {
    CopyOptions options;
    options.dry_run = dry_run;
    options.now = testing::StoreProbe::now();
    options.on_conflict = [this](const std::string& key, RecordState, RecordState) { conflicts.push_back(key); };
    return copy_store(*from, target, options);
  }
  static KeyView view(IdempotencyStore& store, const std::string& key) {
    const auto seen = store.operators()->show(key, testing::StoreProbe::now());
    EXPECT_TRUE(seen) << key;
    return seen.value_or(KeyView());
  }

  std::shared_ptr<IdempotencyStore> from = open();
  std::shared_ptr<MemoryIdempotencyStore> to = memory_idempotency_store();
  std::vector<std::string> conflicts;
};

TEST_F(CopyStore, carries_every_state_with_its_record_and_its_expiry) {
  fill(*from);
  const auto report = copy(*to);
  for (const auto& counts : {report.reserved, report.accepted, report.rejected, report.unknown}) {
    EXPECT_EQ(counts.copied, 1U);
    EXPECT_EQ(counts.there + counts.conflicts, 0U);
  }
  for (const char* key : {"sent", "refused", "open"}) {
    EXPECT_EQ(to_json(view(*to, key).record), to_json(view(*from, key).record)) << key;
    EXPECT_EQ(view(*to, key).expires_at, view(*from, key).expires_at) << key;
    EXPECT_EQ(view(*to, key).reservation_id, owner_1) << key;
  }
  const auto held = std::get<ReservedRecord>(view(*to, "held").record);
  EXPECT_EQ(held.reservation_id, owner_1);
  ASSERT_TRUE(held.posting);
  EXPECT_EQ(held.posting->attempt, 2);
}

TEST_F(CopyStore, finds_all_there_when_it_is_repeated) {
  fill(*from);
  copy(*to);
  const auto again = copy(*to).total();
  EXPECT_EQ(again.copied, 0U);
  EXPECT_EQ(again.there, 4U);
  EXPECT_EQ(again.conflicts, 0U);
}

TEST_F(CopyStore, overwrites_nothing_and_names_what_differs) {
  fill(*from);
  settle(*to, "sent", owner_2, accepted("SM2"));
  ASSERT_TRUE(claims(*to, "open", owner_2));
  settle(*to, "refused", owner_2, unknown());
  EXPECT_EQ(copy(*to).total().conflicts, 3U);
  EXPECT_THAT(conflicts, ::testing::UnorderedElementsAre("sent", "open", "refused"));
  EXPECT_EQ(view(*to, "sent").record, to_record(accepted("SM2")));
  EXPECT_EQ(view(*to, "open").reservation_id, owner_2);
}

TEST_F(CopyStore, changes_nothing_in_a_dry_run) {
  fill(*from);
  const auto report = copy(*to, true);
  EXPECT_EQ(report.total().copied, 4U);
  EXPECT_EQ(to->size(), 0U);
}

TEST_F(CopyStore, goes_on_where_it_was_interrupted) {
  fill(*from);
  FaultyStore failing;
  failing.next(Operation::finalize, Fault::fail);
  EXPECT_THROW(copy(failing), StoreUnavailableError);
  EXPECT_THAT(copy(failing).total().conflicts, 0U);
  EXPECT_EQ(copy(failing).total().there, 4U);
  EXPECT_EQ(view(failing.inner(), "sent").record, view(*from, "sent").record);
  EXPECT_EQ(view(failing.inner(), "sent").expires_at, view(*from, "sent").expires_at);
}

TEST_F(CopyStore, settles_what_was_copied_as_a_reservation_meanwhile_settled) {
  ASSERT_TRUE(claims(*from, "order:1", owner_1));
  copy(*to);
  ASSERT_TRUE(finalizes(*from, finalize_request("order:1", owner_1, accepted())));
  EXPECT_EQ(copy(*to).accepted.copied, 1U);
  EXPECT_EQ(view(*to, "order:1").record, to_record(accepted()));
}

TEST_F(CopyStore, derives_an_id_for_a_row_of_another_implementation) {
  settle(*from, "sent", owner_1, accepted());
  ASSERT_EQ(RawDatabase(path).execute("update sms_idempotency set reservation_id = null"), SQLITE_OK);
  copy(*to);
  const auto id = view(*to, "sent").reservation_id.value_or("none");
  EXPECT_EQ(id.size(), 32U);
  EXPECT_EQ(copy(*to).accepted.there, 1U);
  const auto other = memory_idempotency_store();
  copy(*other);
  EXPECT_EQ(view(*other, "sent").reservation_id, id);
}

TEST_F(CopyStore, lets_an_accepted_record_without_expiry_live_on) {
  settle(*from, "sent", owner_1, accepted());
  ASSERT_EQ(RawDatabase(path).execute("update sms_idempotency set expires_at = null"), SQLITE_OK);
  copy(*to);
  EXPECT_GT(view(*to, "sent").expires_at.value(), testing::StoreProbe::now() + std::chrono::years(49));
}

TEST_F(CopyStore, stops_when_told) {
  fill(*from);
  std::stop_source stop;
  stop.request_stop();
  CopyOptions options;
  options.now = testing::StoreProbe::now();
  options.stop = stop.get_token();
  EXPECT_EQ(copy_store(*from, *to, options).total().copied, 0U);
}

TEST_F(CopyStore, refuses_one_store_as_both_and_one_that_cannot_be_listed) {
  const auto same = open();
  EXPECT_THROW(copy(*same), ConfigurationError);
  FaultyStore silent;
  CopyOptions options;
  EXPECT_THROW(copy_store(silent, *to, options), ConfigurationError);
}

}  // namespace
}  // namespace sms::tests
