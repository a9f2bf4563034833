#include <sms/executor.hpp>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

namespace sms {
namespace {

class WorkQueue {
 public:
  // Notifies under the lock: as soon as it is given back, the work may drop the pool, and this queue with it.
  void push(UniqueFunction<void()> work) {
    const std::lock_guard lock(mutex_);
    works_.push_back(std::move(work));
    changed_.notify_one();
  }

  void run() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return stopped_ || !works_.empty(); });
      if (works_.empty()) return;
      auto work = std::move(works_.front());
      works_.pop_front();
      lock.unlock();
      try {
        work();
      } catch (...) {  // The port says so: nobody is there to hear of it.
      }
      work = {};
      lock.lock();
    }
  }

  void stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<UniqueFunction<void()>> works_;
  bool stopped_ = false;
};

class ThreadPool final : public Executor {
 public:
  explicit ThreadPool(std::size_t size) : size_(std::max<std::size_t>(size, 1)) {}
  ~ThreadPool() override {
    queue_->stop();
    for (auto& thread : threads_) {
      // The last owner may be a piece of work: a thread cannot join itself, and it ends by itself after this work.
      if (thread.get_id() == std::this_thread::get_id()) {
        thread.detach();
      } else {
        thread.join();
      }
    }
  }

  void post(UniqueFunction<void()> work) override {
    std::call_once(started_, [this] {
      for (std::size_t i = 0; i < size_; ++i) threads_.emplace_back([queue = queue_] { queue->run(); });
    });
    queue_->push(std::move(work));
  }

 private:
  std::size_t size_;
  std::shared_ptr<WorkQueue> queue_ = std::make_shared<WorkQueue>();
  std::once_flag started_;
  std::vector<std::thread> threads_;
};

}  // namespace

std::shared_ptr<Executor> thread_pool(std::size_t threads) { return std::make_shared<ThreadPool>(threads); }

}  // namespace sms
