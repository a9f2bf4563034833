#pragma once

#include <sms/testing/store_history.hpp>

#include "support/child_process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace sms::tests {

/// Lets processes of several threads race for keys on the store of this URL, and expects that all that they were told
/// can have happened on one store. `worker`: the program store_worker.
inline void expect_single_owners(const std::string& worker, const std::string& url, int processes = 3) {
  std::vector<std::unique_ptr<ChildProcess>> racers;
  for (int i = 0; i < processes; ++i) {
    const auto number = std::to_string(i);
    racers.push_back(std::make_unique<ChildProcess>(
        std::vector<std::string>{worker, "race", url, "process" + number, "race:", number}));
  }
  for (auto& racer : racers) ASSERT_EQ(racer->read_line(), "ready");
  for (auto& racer : racers) racer->write_line("go");
  std::vector<testing::StoreEvent> events;
  for (auto& racer : racers) {
    for (const auto& line : racer->read_all()) {
      const auto event = testing::parse_event(line);
      ASSERT_TRUE(event) << line;
      EXPECT_NE(event->answer, testing::StoreEvent::Answer::failed) << line;
      events.push_back(*event);
    }
    EXPECT_EQ(racer->wait(), 0);
  }
  EXPECT_GT(events.size(), static_cast<std::size_t>(processes) * 100);
  EXPECT_THAT(testing::contradictions(events), ::testing::IsEmpty());
}

}  // namespace sms::tests
