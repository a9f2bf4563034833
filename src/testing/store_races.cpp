#include "testing/store_checks.hpp"

#include <atomic>
#include <barrier>
#include <mutex>
#include <set>
#include <thread>

namespace sms::testing::checks {
namespace {

constexpr int callers = 16;

/// Runs `work(number)` on many threads at once. What one throws is a fault.
template <class Work>
void at_once(StoreProbe& store, Work work) {
  std::barrier start(callers);
  std::mutex mutex;
  std::vector<std::string> thrown;
  std::vector<std::thread> threads;
  for (int number = 0; number < callers; ++number) {
    threads.emplace_back([&, number] {
      start.arrive_and_wait();
      try {
        work(number);
      } catch (const std::exception& error) {
        const std::lock_guard lock(mutex);
        thrown.emplace_back(error.what());
      }
    });
  }
  for (auto& thread : threads) thread.join();
  for (const auto& what : thrown) store.expect(false, "a call of many at once failed: " + what);
}

std::string owner(int number) { return std::to_string(1000 + number); }

/// Lets all claim one key and expects that one of them wins.
void race(StoreProbe& store, const std::string& key) {
  std::atomic<int> winners{0};
  std::mutex mutex;
  std::set<std::string> holders;
  at_once(store, [&](int number) {
    const auto answer = store.reserve(reserve_request(key, owner(number)));
    std::string holder;
    if (const auto* reserved = std::get_if<Reserved>(&answer)) {
      ++winners;
      holder = reserved->reservation_id;
    } else if (const auto* held = std::get_if<ReservedRecord>(&std::get<Existing>(answer).record)) {
      holder = held->reservation_id;
    }
    const std::lock_guard lock(mutex);
    holders.insert(holder);
  });
  store.expect(winners == 1, std::to_string(winners) + " of many callers claimed one key");
  store.expect(holders.size() == 1, "callers that lost a race were shown different holders");
  if (holders.size() == 1) store.expect_reserved(key, *holders.begin(), "the winner of a race does not hold the key");
}

}  // namespace

void one_winner(StoreProbe& store) {
  for (int round = 0; round < 8; ++round) race(store, "order:" + std::to_string(round));
}

void one_taker(StoreProbe& store) {
  for (int round = 0; round < 4; ++round) {
    const auto rejected_before = "rejected:" + std::to_string(round);
    store.store_final(rejected_before, owner_1, rejected());
    race(store, rejected_before);
    const auto expired_before = "expired:" + std::to_string(round);
    store.store_final(expired_before, owner_1, accepted(), std::chrono::milliseconds(1));
    StoreProbe::wait(std::chrono::milliseconds(10));
    race(store, expired_before);
  }
}

void many_keys(StoreProbe& store) {
  constexpr int each = 20;
  std::atomic<int> done{0};
  at_once(store, [&](int number) {
    for (int i = 0; i < each; ++i) {
      const auto key = std::to_string(number) + ":" + std::to_string(i);
      const bool claimed = std::holds_alternative<Reserved>(store.reserve(reserve_request(key, owner(number))));
      const auto record = accepted(key);
      const auto written = store.finalize(finalize_request(key, owner(number), record));
      if (claimed && written == FinalizeResult::finalized && store.get(key) == to_record(record)) ++done;
    }
  });
  store.expect(done == callers * each, "keys of concurrent callers disturb each other");
}

}  // namespace sms::testing::checks
