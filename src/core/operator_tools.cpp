#include <sms/operator_tools.hpp>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <utility>

namespace sms {

std::size_t for_each_key(OperatorStore& store, ListRequest request, const std::function<bool(const KeyView&)>& visit) {
  std::size_t visited = 0;
  for (;;) {
    ListPage page = store.list(request);
    for (const KeyView& view : page.keys) {
      ++visited;
      if (!visit(view)) return visited;
    }
    if (page.next_cursor.empty()) return visited;
    request.cursor = std::move(page.next_cursor);
  }
}

std::size_t purge_all(OperatorStore& store, const PurgeOptions& options) {
  std::mutex mutex;
  std::condition_variable_any stopped;
  std::size_t purged = 0;
  while (!options.stop.stop_requested()) {
    const std::size_t batch = std::max<std::size_t>(options.batch, 1);
    const std::size_t wanted = options.limit ? std::min(batch, *options.limit - purged) : batch;
    if (wanted == 0) break;
    const std::size_t count = store.purge_expired(wanted, options.now);
    purged += count;
    if (count < wanted) break;
    std::unique_lock lock(mutex);
    stopped.wait_for(lock, options.stop, options.pause, [] { return false; });
  }
  return purged;
}

WatchReport watch(OperatorStore& store, const WatchLimits& limits, WallTime now) {
  WatchReport report;
  report.stats = store.stats(now);
  report.open = report.stats.unknown + report.stats.stale;
  if (report.stats.oldest_open) {
    report.oldest_open = std::max(now - *report.stats.oldest_open, std::chrono::milliseconds(0));
  }
  report.open_exceeded = report.open > limits.max_open;
  report.stale_exceeded = limits.max_stale && report.stats.stale > *limits.max_stale;
  report.age_exceeded = limits.max_age && report.oldest_open > *limits.max_age;
  return report;
}

}  // namespace sms
