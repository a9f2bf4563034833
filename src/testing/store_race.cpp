#include <sms/testing/store_history.hpp>

#include "testing/store_probe.hpp"

#include <barrier>
#include <future>
#include <random>
#include <thread>

namespace sms::testing {
namespace {

using Answer = StoreEvent::Answer;

template <class T, class Start>
Expected<T> answer_of(Start start) {
  auto promise = std::make_shared<std::promise<Expected<T>>>();
  auto answer = promise->get_future();
  start(Callback<T>([promise](Expected<T> result) { promise->set_value(std::move(result)); }));
  return answer.get();
}

/// One thread of a race.
class Racer {
 public:
  Racer(IdempotencyStore& store, const StoreRace& race, std::size_t number)
      : store_(store), race_(race), number_(number), random_(race.seed * 1'000 + number) {}

  std::vector<StoreEvent> run() {
    for (std::size_t round = 0; round < race_.rounds; ++round) {
      pause();
      const auto key = race_.key_prefix + std::to_string(random_() % race_.keys);
      const auto caller = race_.caller + ":" + std::to_string(number_) + ":" + std::to_string(round);
      if (!reserve(key, caller)) continue;
      pause();
      if (random_() % 8 == 0) finalize(key, caller + ":stranger", true);  // Must be refused: the key is held.
      finalize(key, caller, random_() % 8 == 0);
    }
    return std::move(events_);
  }

 private:
  bool reserve(const std::string& key, const std::string& caller) {
    auto request = reserve_request(key, caller);
    request.stale_reservation = race_.stale_reservation;
    StoreEvent event = begin(StoreEvent::Call::reserve, key, caller);
    const auto answer =
        answer_of<ReserveResult>([&](Callback<ReserveResult> done) { store_.reserve(request, std::move(done)); });
    event.end = BootClock::now();
    if (answer) {
      const auto* existing = std::get_if<Existing>(&*answer);
      const auto* held = existing == nullptr ? nullptr : std::get_if<ReservedRecord>(&existing->record);
      event.answer = existing == nullptr ? Answer::reserved : held != nullptr ? Answer::held : Answer::settled;
      if (held != nullptr) event.holder = held->reservation_id;
    }
    events_.push_back(event);
    return event.answer == Answer::reserved;
  }

  void finalize(const std::string& key, const std::string& caller, bool accepts) {
    const auto request = finalize_request(key, caller, accepts ? accepted(caller) : rejected());
    StoreEvent event = begin(StoreEvent::Call::finalize, key, caller);
    event.accepts = accepts;
    const auto answer =
        answer_of<FinalizeResult>([&](Callback<FinalizeResult> done) { store_.finalize(request, std::move(done)); });
    event.end = BootClock::now();
    if (answer) event.answer = *answer == FinalizeResult::finalized ? Answer::finalized : Answer::not_owner;
    events_.push_back(event);
  }

  static StoreEvent begin(StoreEvent::Call call, const std::string& key, const std::string& caller) {
    StoreEvent event;
    event.call = call;
    event.key = key;
    event.caller = caller;
    event.begin = BootClock::now();
    return event;
  }

  void pause() {
    const auto longest = static_cast<std::uint64_t>(std::chrono::microseconds(race_.longest_pause).count());
    if (longest > 0) std::this_thread::sleep_for(std::chrono::microseconds(random_() % longest));
  }

  IdempotencyStore& store_;
  const StoreRace& race_;
  std::size_t number_;
  std::mt19937_64 random_;
  std::vector<StoreEvent> events_;
};

}  // namespace

std::vector<StoreEvent> race_for_keys(IdempotencyStore& store, const StoreRace& race) {
  std::vector<std::vector<StoreEvent>> events(race.threads);
  std::barrier start(static_cast<std::ptrdiff_t>(race.threads));
  std::vector<std::thread> threads;
  for (std::size_t number = 0; number < race.threads; ++number) {
    threads.emplace_back([&, number] {
      start.arrive_and_wait();
      events[number] = Racer(store, race, number).run();
    });
  }
  for (auto& thread : threads) thread.join();
  std::vector<StoreEvent> all;
  for (auto& some : events) std::ranges::move(some, std::back_inserter(all));
  return all;
}

}  // namespace sms::testing
