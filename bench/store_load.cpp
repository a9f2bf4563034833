#include "bench/store_load.hpp"

#include "testing/store_probe.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <future>
#include <memory>
#include <mutex>

namespace sms::bench {
namespace {

using Clock = std::chrono::steady_clock;

LoadResult summary(std::vector<std::chrono::nanoseconds> times, std::size_t failed, Clock::duration took) {
  LoadResult result;
  result.done = times.size();
  result.failed = failed;
  result.per_second = static_cast<double>(times.size()) / std::chrono::duration<double>(took).count();
  if (times.empty()) return result;
  std::ranges::sort(times);
  const auto at = [&](std::size_t percent) {
    return std::chrono::duration_cast<std::chrono::microseconds>(times[(times.size() - 1) * percent / 100]);
  };
  result.p50 = at(50);
  result.p99 = at(99);
  return result;
}

/// Many keys under way at once, without a thread for each.
class Loader {
 public:
  Loader(IdempotencyStore& store, const Load& load) : store_(store), load_(load), lanes_(load.in_flight) {}

  LoadResult run() {
    const auto begin = Clock::now();
    end_ = begin + load_.duration;
    running_ = lanes_.size();
    for (auto& lane : lanes_) next(lane);
    std::unique_lock lock(mutex_);
    done_.wait(lock, [&] { return running_ == 0; });
    const auto took = Clock::now() - begin;
    std::vector<std::chrono::nanoseconds> times;
    std::size_t failed = 0;
    for (const auto& lane : lanes_) {
      times.insert(times.end(), lane.times.begin(), lane.times.end());
      failed += lane.failed;
    }
    return summary(std::move(times), failed, took);
  }

 private:
  struct Lane {
    std::string key, owner;
    Clock::time_point begin;
    std::vector<std::chrono::nanoseconds> times;
    std::size_t failed = 0;
    /// Who comes second, the answer or the return of the call, goes on: a store that answers inside the call must not
    /// recurse without bound.
    std::atomic<int> parties{0};
  };

  void next(Lane& lane) {
    do {
      if (Clock::now() >= end_) {
        const std::lock_guard lock(mutex_);
        if (--running_ == 0) done_.notify_one();
        return;
      }
      lane.parties = 0;
      start(lane);
    } while (lane.parties.fetch_add(1) == 1);
  }

  void start(Lane& lane) {
    const auto number = std::to_string(numbers_++);
    lane.key = load_.key_prefix + number;
    lane.owner = number;
    lane.begin = Clock::now();
    store_.reserve(testing::reserve_request(lane.key, lane.owner), [this, &lane](Expected<ReserveResult> answer) {
      const bool claimed = answer && std::holds_alternative<Reserved>(*answer);
      if (!claimed || !load_.finalize) return end(lane, claimed);
      store_.finalize(testing::finalize_request(lane.key, lane.owner, testing::accepted(lane.key)),
                      [this, &lane](Expected<FinalizeResult> written) {
                        end(lane, written && *written == FinalizeResult::finalized);
                      });
    });
  }

  void end(Lane& lane, bool good) {
    if (good) {
      lane.times.push_back(Clock::now() - lane.begin);
    } else {
      ++lane.failed;
    }
    if (lane.parties.fetch_add(1) == 1) next(lane);
  }

  IdempotencyStore& store_;
  const Load& load_;
  std::vector<Lane> lanes_;
  std::atomic<std::size_t> numbers_{0};
  Clock::time_point end_;
  std::mutex mutex_;
  std::condition_variable done_;
  std::size_t running_ = 0;
};

template <class T, class Start, class Good>
LoadResult one_after_another(std::chrono::milliseconds duration, Start start, Good good) {
  std::vector<std::chrono::nanoseconds> times;
  std::size_t failed = 0;
  const auto begin = Clock::now();
  while (Clock::now() - begin < duration) {
    std::promise<Expected<T>> promise;
    const auto asked = Clock::now();
    start(Callback<T>([&promise](Expected<T> answer) { promise.set_value(std::move(answer)); }));
    const auto answer = promise.get_future().get();
    if (answer && good(*answer)) {
      times.push_back(Clock::now() - asked);
    } else {
      ++failed;
    }
  }
  return summary(std::move(times), failed, Clock::now() - begin);
}

}  // namespace

LoadResult run(IdempotencyStore& store, const Load& load) { return Loader(store, load).run(); }

LoadResult run_gets(IdempotencyStore& store, const std::string& key, std::chrono::milliseconds duration) {
  return one_after_another<std::optional<IdempotencyRecord>>(
      duration, [&](auto done) { store.get(key, testing::StoreProbe::now(), std::move(done)); },
      [](const auto& record) { return record.has_value(); });
}

LoadResult run_replays(IdempotencyStore& store, const std::string& key, std::chrono::milliseconds duration) {
  return one_after_another<ReserveResult>(
      duration, [&](auto done) { store.reserve(testing::reserve_request(key, "replay"), std::move(done)); },
      [](const ReserveResult& result) { return std::holds_alternative<Existing>(result); });
}

}  // namespace sms::bench
