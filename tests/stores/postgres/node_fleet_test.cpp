#include "core/json_reading.hpp"
#include "stores/postgres/postgres_fixture.hpp"
#include "support/child_process.hpp"

#include <boost/json.hpp>

#include <set>

namespace sms::tests {
namespace {

namespace json = boost::json;

/// The TypeScript store of the contract's document, in a process of its own, on one table with ours.
class MixedFleet : public PostgresTest {
 protected:
  static void SetUpTestSuite() { ASSERT_EQ(ChildProcess({SMS_PROJECT_DIR "/scripts/npm-install"}).wait(), 0); }

  json::value ask(json::object call) {
    call["now"] = StoreProbe::now().time_since_epoch().count();
    node.write_line(json::serialize(call));
    return json::parse(node.read_line());
  }
  json::value ask_reserve(const std::string& key) {
    return ask({{"call", "reserve"}, {"key", key}, {"fingerprint", testing::fingerprint_a}});
  }
  json::value ask_finalize(const std::string& key, const json::value& id, const FinalIdempotencyRecord& record,
                           double ttl_seconds = 3'600) {
    return ask({{"call", "finalize"},
                {"key", key},
                {"reservationId", id},
                {"record", json::parse(to_json(record))},
                {"ttlSec", ttl_seconds}});
  }
  json::value ask_get(const std::string& key) { return ask({{"call", "get"}, {"key", key}}); }

  std::string node_url() const {
    return "postgres://postgres@127.0.0.1:" + std::to_string(server.port()) + "/" + database;
  }

  std::shared_ptr<IdempotencyStore> store = open();
  StoreProbe ours = probe(store);
  ChildProcess node{{SMS_NODE, SMS_PROJECT_DIR "/tests/npm/postgres_store.js", node_url()}};
};

const json::value reserved_kind("reserved");
const json::value existing_kind("existing");

TEST_F(MixedFleet, replays_what_ours_accepted) {
  for (const auto& record : {accepted(), unknown()}) {
    const std::string key(to_string(state_of(record)));
    ours.store_final(key, owner_1, record);
    const auto answer = ask_reserve(key);
    EXPECT_EQ(answer.at("kind"), existing_kind);
    EXPECT_EQ(answer.at("record"), json::parse(to_json(record)));
    EXPECT_EQ(ask_get(key), json::parse(to_json(record)));
  }
}

TEST_F(MixedFleet, replays_to_ours_what_it_accepted) {
  for (const auto& record : {accepted(), unknown()}) {
    const std::string key(to_string(state_of(record)));
    const auto claim = ask_reserve(key);
    ASSERT_EQ(claim.at("kind"), reserved_kind);
    EXPECT_EQ(ask_finalize(key, claim.at("reservationId"), record).at("kind"), json::value("finalized"));
    const auto answer = ours.reserve(reserve_request(key, owner_1));
    ASSERT_TRUE(std::holds_alternative<Existing>(answer));
    EXPECT_EQ(std::get<Existing>(answer).record, to_record(record));
    EXPECT_EQ(ours.get(key), to_record(record));
  }
}

TEST_F(MixedFleet, respects_the_reservations_of_ours_and_ours_respect_its_own) {
  ASSERT_TRUE(ours.claims("ours", owner_1));
  const auto held = ask_reserve("ours");
  EXPECT_EQ(held.at("kind"), existing_kind);
  EXPECT_EQ(held.at("record").at("reservationId"), json::value(owner_1));
  MarkRequest mark;
  mark.key = "ours";
  mark.reservation_id = owner_1;
  mark.posting.provider = "twilio";
  EXPECT_EQ(ours.mark(mark), MarkResult::marked);
  EXPECT_EQ(ask_reserve("ours").at("record").at("state"), reserved_kind);
  EXPECT_EQ(ask_finalize("ours", "another", accepted()).at("kind"), json::value("not_owner"));

  const auto claim = ask_reserve("theirs");
  const auto answer = ours.reserve(reserve_request("theirs", owner_1));
  ASSERT_TRUE(std::holds_alternative<Existing>(answer));
  const auto& record = std::get<ReservedRecord>(std::get<Existing>(answer).record);
  EXPECT_EQ(json::value(record.reservation_id), claim.at("reservationId"));
  EXPECT_EQ(ours.finalize(finalize_request("theirs", owner_1, accepted())), FinalizeResult::not_owner);
}

TEST_F(MixedFleet, takes_over_what_ours_rejected_and_the_other_way_round) {
  ours.store_final("ours", owner_1, rejected());
  const auto theirs = ask_reserve("ours");
  ASSERT_EQ(theirs.at("kind"), reserved_kind);
  EXPECT_EQ(ours.finalize(finalize_request("ours", owner_1, accepted())), FinalizeResult::not_owner);
  EXPECT_EQ(ask_finalize("ours", theirs.at("reservationId"), rejected()).at("kind"), json::value("finalized"));
  EXPECT_TRUE(ours.claims("ours", owner_2));
  EXPECT_EQ(ours.finalize(finalize_request("ours", owner_2, accepted())), FinalizeResult::finalized);
  EXPECT_EQ(ask_reserve("ours").at("kind"), existing_kind);

  ours.store_final("expired", owner_1, accepted(), 1ms);
  const auto claim = ask_reserve("short");
  ASSERT_EQ(ask_finalize("short", claim.at("reservationId"), accepted(), 0.001).at("kind"), json::value("finalized"));
  StoreProbe::wait(10ms);
  EXPECT_EQ(ask_reserve("expired").at("kind"), reserved_kind);
  EXPECT_TRUE(ours.claims("short", owner_1));
}

TEST_F(MixedFleet, settles_for_ours_what_ours_resolved) {
  const auto claim = ask_reserve("order:1");
  ASSERT_EQ(ask_finalize("order:1", claim.at("reservationId"), unknown()).at("kind"), json::value("finalized"));
  ResolveRequest resolve;
  resolve.key = "order:1";
  resolve.token = ours.token("order:1");
  resolve.provider = "twilio";
  resolve.provider_id = "SM7";
  resolve.note = {"operator@example", "found at the provider"};
  resolve.ttl = 1h;
  ASSERT_EQ(ours.operators().resolve(resolve), OperatorResult::done);
  EXPECT_EQ(ask_reserve("order:1").at("record").at("result").at("providerId"), json::value("SM7"));

  // An ID that the other implementation stored is in use, too.
  const auto second = ask_reserve("order:2");
  ask_finalize("order:2", second.at("reservationId"), accepted("SM8"));
  ours.store_final("order:3", owner_1, unknown());
  resolve.key = "order:3";
  resolve.token = ours.token("order:3");
  resolve.provider_id = "SM8";
  EXPECT_EQ(ours.operators().resolve(resolve), OperatorResult::id_in_use);
}

TEST_F(MixedFleet, wins_each_key_once_in_a_race_with_ours) {
  json::array keys;
  std::vector<std::string> names;
  for (int i = 0; i < 300; ++i) names.push_back("race:" + std::to_string(i));
  for (const auto& name : names) keys.emplace_back(name);
  auto theirs = std::async(std::launch::async, [&] {
    return ask({{"call", "race"}, {"keys", keys}, {"fingerprint", testing::fingerprint_a}});
  });
  std::vector<Claim> claims;
  for (auto name = names.rbegin(); name != names.rend(); ++name) claims.push_back(start_claim(*store, *name));
  std::set<std::string> won_by_ours;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    if (won(claims[i].get())) won_by_ours.insert(names[names.size() - 1 - i]);
  }
  const auto answer = theirs.get();
  std::set<std::string> won_by_them;
  for (const auto& key : answer.as_array()) won_by_them.insert(std::string(key.as_string()));
  for (const auto& name : names) {
    EXPECT_EQ(won_by_ours.count(name) + won_by_them.count(name), 1U) << name;
  }
}

}  // namespace
}  // namespace sms::tests
