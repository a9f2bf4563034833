#include <sms/testing/store_history.hpp>

#include "servers/cutting_proxy.hpp"
#include "stores/clock_offset.hpp"
#include "stores/postgres/postgres_fixture.hpp"

namespace sms::tests {
namespace {

/// Through a proxy that fails as networks do.
class PostgresFaults : public PostgresTest {
 protected:
  std::shared_ptr<IdempotencyStore> open_through_proxy(std::chrono::milliseconds operation_timeout = 4s,
                                                       std::size_t connections = 1) {
    return open_url("postgres:?host=127.0.0.1&user=postgres&dbname=" + database +
                        "&port=" + std::to_string(proxy.port()) + "&connections=" + std::to_string(connections),
                    operation_timeout);
  }
  /// Races for keys while the server is disturbed; what was answered must fit together.
  void race_while(const std::function<void()>& disturb) {
    const auto store = open();
    auto racing = std::async(std::launch::async, [&] {
      testing::StoreRace race;
      race.keys = 40;
      race.rounds = 150;
      race.caller = "racer";
      race.longest_pause = 10ms;
      return testing::race_for_keys(*store, race);
    });
    while (racing.wait_for(300ms) != std::future_status::ready) disturb();
    const auto events = racing.get();
    EXPECT_THAT(testing::contradictions(events), ::testing::IsEmpty());
    std::size_t answered = 0;
    for (const auto& event : events) answered += event.answer == testing::StoreEvent::Answer::failed ? 0U : 1U;
    EXPECT_GT(answered, events.size() / 2);
    EXPECT_TRUE(won(start_claim(*store, "afterwards").get()));
  }

  CuttingProxy proxy{static_cast<std::uint16_t>(server.port())};
};

TEST_F(PostgresFaults, whose_reply_to_a_claim_is_lost_own_the_key_all_the_same) {
  const auto store = open_through_proxy();
  ASSERT_TRUE(won(start_claim(*store, "order:0").get()));
  proxy.drop_next_reply();
  EXPECT_TRUE(won(start_claim(*store, "order:1").get()));
  EXPECT_EQ(proxy.connections(), 2);
  EXPECT_EQ(row("reservation_id", "order:1"), owner_1);
  EXPECT_FALSE(won(start_claim(*store, "order:1", owner_2).get()));
}

TEST_F(PostgresFaults, whose_reply_to_a_final_record_is_lost_are_told_that_it_stands) {
  const auto store = open_through_proxy();
  auto calls = probe(store);
  for (const auto& record : {accepted(), rejected(), unknown()}) {
    const std::string key(to_string(state_of(record)));
    ASSERT_TRUE(calls.claims(key, owner_1));
    proxy.drop_next_reply();
    EXPECT_EQ(calls.finalize(finalize_request(key, owner_1, record)), FinalizeResult::finalized);
  }
  EXPECT_EQ(proxy.connections(), 4);
}

TEST_F(PostgresFaults, that_hang_are_left_within_the_deadline) {
  const auto store = open_through_proxy(2s);
  ASSERT_TRUE(won(start_claim(*store, "order:0").get()));
  proxy.hang_replies();
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_NE(why_unavailable(*store, "order:1"), "answered");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 4s);
  proxy.pass();
  EXPECT_TRUE(won(start_claim(*store, "order:1").get())) << "the same send asks again";
}

TEST_F(PostgresFaults, that_swallow_one_answer_are_asked_again_in_time) {
  const auto store = open_through_proxy(4s);
  ASSERT_TRUE(won(start_claim(*store, "order:0").get()));
  proxy.hang_replies();
  auto answer = start_claim(*store, "order:1");
  wait_until([&] { return count_of("key = 'order:1'") == "1"; });
  proxy.cut();
  proxy.pass();
  EXPECT_TRUE(won(answer.get()));
}

TEST_F(PostgresFaults, answer_everything_when_the_store_is_closed) {
  auto store = open_through_proxy();
  ASSERT_TRUE(won(start_claim(*store, "order:0").get()));
  proxy.hang();
  std::vector<Claim> answers;
  for (int i = 0; i < 50; ++i) answers.push_back(start_claim(*store, std::to_string(i)));
  store.reset();
  for (auto& answer : answers) EXPECT_FALSE(answer.get());
}

TEST_F(PostgresFaults, that_restart_the_server_contradict_nobody) {
  race_while([&] { server.restart(PostgresServer::Stop::fast); });
}
TEST_F(PostgresFaults, that_crash_the_server_contradict_nobody) {
  race_while([&] { server.restart(PostgresServer::Stop::immediate); });
}
TEST_F(PostgresFaults, that_kill_the_server_contradict_nobody) {
  race_while([&] {
    server.kill();
    server.start();
  });
}
TEST_F(PostgresFaults, that_kill_single_sessions_contradict_nobody) {
  race_while([&] {
    session().rows(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> "
        "pg_backend_pid()");
  });
}

TEST_F(PostgresFaults, of_a_server_that_is_not_there_yet_are_waited_for) {
  server.stop();
  const auto store = open(20s);
  auto answer = start_claim(*store, "order:1");
  const auto impatient = open(500ms);
  EXPECT_THAT(why_unavailable(*impatient), HasSubstr("PostgreSQL: "));
  server.start();
  EXPECT_TRUE(won(answer.get()));
}

TEST_F(PostgresTest, sends_once_whatever_the_clocks_of_its_callers_say) {
  expect_one_message_whatever_the_clocks([&] { return open(); }, Expiry::of_the_store);
}

}  // namespace
}  // namespace sms::tests
