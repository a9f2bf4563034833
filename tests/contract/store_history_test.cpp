#include <sms/stores/memory.hpp>
#include <sms/testing/store_history.hpp>

#include "contract/broken_store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sms::tests {
namespace {

using namespace std::chrono_literals;
using sms::testing::contradictions;
using sms::testing::StoreEvent;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using Answer = StoreEvent::Answer;
using Call = StoreEvent::Call;

StoreEvent event(Call call, Answer answer, std::string caller, int begin, int end) {
  StoreEvent made;
  made.call = call;
  made.answer = answer;
  made.key = "order:1";
  made.caller = std::move(caller);
  made.begin = BootClock::time_point(std::chrono::seconds(begin));
  made.end = BootClock::time_point(std::chrono::seconds(end));
  return made;
}
StoreEvent accepts(StoreEvent made) {
  made.accepts = true;
  return made;
}
StoreEvent held_by(StoreEvent made, std::string holder) {
  made.holder = std::move(holder);
  return made;
}

TEST(StoreHistory, of_owners_one_after_another_has_no_contradiction) {
  const std::vector<StoreEvent> events = {
      event(Call::reserve, Answer::reserved, "a", 1, 2),
      held_by(event(Call::reserve, Answer::held, "b", 1, 4), "a"),
      event(Call::finalize, Answer::finalized, "a", 3, 6),
      event(Call::reserve, Answer::reserved, "c", 4, 5),
      accepts(event(Call::finalize, Answer::finalized, "c", 7, 8)),
      event(Call::reserve, Answer::settled, "d", 7, 9),
  };
  EXPECT_THAT(contradictions(events), IsEmpty());
}

TEST(StoreHistory, with_two_owners_at_once_is_a_contradiction) {
  const std::vector<StoreEvent> events = {event(Call::reserve, Answer::reserved, "a", 1, 2),
                                          event(Call::reserve, Answer::reserved, "b", 1, 2)};
  EXPECT_THAT(contradictions(events), ElementsAre(HasSubstr("while")));
}

TEST(StoreHistory, with_a_claim_after_the_acceptance_is_a_contradiction) {
  const std::vector<StoreEvent> events = {event(Call::reserve, Answer::reserved, "a", 1, 2),
                                          accepts(event(Call::finalize, Answer::finalized, "a", 3, 4)),
                                          event(Call::reserve, Answer::reserved, "b", 5, 6)};
  EXPECT_THAT(contradictions(events), ElementsAre(HasSubstr("after a had it accepted")));
}

TEST(StoreHistory, with_an_owner_that_is_denied_is_a_contradiction) {
  const std::vector<StoreEvent> events = {event(Call::reserve, Answer::reserved, "a", 1, 2),
                                          event(Call::finalize, Answer::not_owner, "a", 3, 4)};
  EXPECT_THAT(contradictions(events), ElementsAre(HasSubstr("told that it is not the owner")));
}

TEST(StoreHistory, with_a_holder_that_had_not_come_yet_is_a_contradiction) {
  const std::vector<StoreEvent> events = {event(Call::reserve, Answer::reserved, "a", 5, 6),
                                          held_by(event(Call::reserve, Answer::held, "b", 1, 2), "a")};
  EXPECT_THAT(contradictions(events), ElementsAre(HasSubstr("cannot hold it")));
}

TEST(StoreHistory, survives_a_pipe) {
  const auto sent = held_by(accepts(event(Call::reserve, Answer::held, "a", 1, 2)), "b");
  const auto received = sms::testing::parse_event(to_line(sent));
  ASSERT_TRUE(received);
  EXPECT_EQ(to_line(*received), to_line(sent));
  EXPECT_EQ(received->holder, "b");
  EXPECT_FALSE(sms::testing::parse_event("ready"));
}

std::vector<std::string> faults_after_a_race(IdempotencyStore& store) {
  sms::testing::StoreRace race;
  race.threads = 8;
  race.keys = 6;
  race.caller = "process";
  return contradictions(race_for_keys(store, race));
}

TEST(StoreRace, finds_nothing_in_a_good_store) {
  EXPECT_THAT(faults_after_a_race(*memory_idempotency_store()), IsEmpty());
}

class RaceOnABrokenStore : public ::testing::TestWithParam<Mistake> {};

TEST_P(RaceOnABrokenStore, shows_its_mistake) {
  BrokenStore store(GetParam());
  EXPECT_THAT(faults_after_a_race(store), Not(IsEmpty()));
}

INSTANTIATE_TEST_SUITE_P(Every, RaceOnABrokenStore,
                         ::testing::Values(Mistake::reads_before_it_writes, Mistake::frees_old_reservations,
                                           Mistake::finalizes_for_anybody, Mistake::claims_settled_keys));

}  // namespace
}  // namespace sms::tests
