#pragma once

#include "stores/redis/node.hpp"

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <queue>
#include <string>
#include <vector>

namespace sms::detail {

/// Runs the requests of all callers: `run` belongs to one thread, `submit` and `stop` to any.
class RedisLoop final : public RedisNode::Owner {
 public:
  explicit RedisLoop(std::shared_ptr<RedisShared> shared);
  ~RedisLoop() override;

  void submit(RedisRequestPtr request);
  /// Lets `run` end; it answers what is outstanding.
  void stop();
  void run();

 private:
  struct Later {
    bool operator()(const RedisRequestPtr& a, const RedisRequestPtr& b) const { return a->deadline > b->deadline; }
  };

  void again(RedisRequestPtr request, std::chrono::milliseconds delay) override;
  void moved(RedisRequestPtr request, std::uint16_t slot, RedisEndpoint to) override;
  void ask(RedisRequestPtr request, RedisEndpoint to) override;
  void opened(RedisNode& node, const RedisFacts& facts) override;
  void failed(const std::string& reason) override { last_failure_ = reason; }

  /// False once it has been stopped.
  bool take_inbox();
  void start_delayed(BootClock::time_point now);
  void expire(BootClock::time_point now);
  void wait(BootClock::time_point now);
  void route(RedisRequestPtr request);
  RedisNode& node(const RedisEndpoint& endpoint);
  RedisNode& node_of_slot(std::uint16_t slot);
  void learn_slots(const RedisNode& from, const std::vector<RespValue>& ranges);

  std::shared_ptr<RedisShared> shared_;
  int wake_;
  std::mutex mutex_;
  std::vector<RedisRequestPtr> inbox_;
  bool stopped_ = false;
  std::atomic<std::size_t> waiting_{0};

  std::map<RedisEndpoint, std::unique_ptr<RedisNode>> nodes_;
  RedisNode* first_ = nullptr;
  bool cluster_ = false;
  std::map<std::uint16_t, RedisNode*> slots_;  ///< By the last slot of a range.
  std::multimap<BootClock::time_point, RedisRequestPtr> delayed_;
  std::priority_queue<RedisRequestPtr, std::vector<RedisRequestPtr>, Later> deadlines_;
  std::string last_failure_;
};

}  // namespace sms::detail
