#pragma once

#include <sms/unique_function.hpp>

#include <cstddef>
#include <memory>

namespace sms {

/// Port: runs functions that may block (policies, hooks, blocking stores and adapters) away from I/O threads.
class Executor {
 public:
  virtual ~Executor() = default;
  /// Runs `work` once on some thread of the executor, never inside this call. Safe from any thread. What `work` throws
  /// is swallowed.
  virtual void post(UniqueFunction<void()> work) = 0;
};

/// A pool of `threads` threads, started with the first `post`. Destruction runs what was posted and joins.
std::shared_ptr<Executor> thread_pool(std::size_t threads);

}  // namespace sms
