#include "stores/redis/loop.hpp"

#include <sms/error.hpp>

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace sms::detail {
namespace {

using std::chrono::milliseconds;

constexpr std::uint16_t last_slot = 16383;
constexpr milliseconds join_pause{10};

}  // namespace

RedisLoop::RedisLoop(std::shared_ptr<RedisShared> shared)
    : shared_(std::move(shared)), wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  first_ = &node({shared_->options.host, shared_->options.port});
}

RedisLoop::~RedisLoop() { close(wake_); }

void RedisLoop::submit(RedisRequestPtr request) {
  std::string refusal;
  {
    const std::lock_guard lock(mutex_);
    if (stopped_) {
      refusal = "the store is being closed";
    } else if (waiting_.load() >= shared_->options.max_waiting) {
      refusal = "too many operations are waiting";
    } else {
      ++waiting_;
      request->counted_by = &waiting_;
      inbox_.push_back(std::move(request));
      if (inbox_.size() == 1) eventfd_write(wake_, 1);
      return;
    }
  }
  request->fail(refusal);
}

void RedisLoop::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  eventfd_write(wake_, 1);
}

void RedisLoop::run() {
  while (take_inbox()) {
    const auto now = BootClock::now();
    start_delayed(now);
    expire(now);
    // Redirections may add nodes; those are looked at in the next round.
    for (auto& [endpoint, one] : nodes_) one->flush(now);
    wait(now);
  }
  while (!deadlines_.empty()) {
    const auto request = deadlines_.top();
    deadlines_.pop();
    if (!request->answered()) request->fail("the store is being closed");
  }
}

bool RedisLoop::take_inbox() {
  std::vector<RedisRequestPtr> taken;
  bool goes_on = false;
  {
    const std::lock_guard lock(mutex_);
    taken.swap(inbox_);
    goes_on = !stopped_;
  }
  for (auto& request : taken) {
    deadlines_.push(request);
    if (goes_on) route(std::move(request));
  }
  return goes_on;
}

void RedisLoop::start_delayed(BootClock::time_point now) {
  while (!delayed_.empty() && delayed_.begin()->first <= now) {
    auto request = std::move(delayed_.begin()->second);
    delayed_.erase(delayed_.begin());
    if (!request->answered()) route(std::move(request));
  }
}

void RedisLoop::expire(BootClock::time_point now) {
  while (!deadlines_.empty() && (deadlines_.top()->answered() || deadlines_.top()->deadline <= now)) {
    const auto request = deadlines_.top();
    deadlines_.pop();
    if (request->answered()) continue;
    // An answer that still came would be taken for that of the next question.
    RedisNode* const where = request->under_way;
    const auto reason =
        where == nullptr && !last_failure_.empty() ? last_failure_ : "the server did not answer in time";
    request->fail(request->fault.empty() ? reason : request->fault);
    if (where != nullptr) where->fail("the server did not answer in time");
  }
}

void RedisLoop::wait(BootClock::time_point now) {
  std::vector<pollfd> polled{{wake_, POLLIN, 0}};
  std::vector<RedisNode*> nodes;
  auto until = now + std::chrono::minutes(1);
  if (!deadlines_.empty()) until = std::min(until, deadlines_.top()->deadline);
  if (!delayed_.empty()) until = std::min(until, delayed_.begin()->first);
  for (auto& [endpoint, one] : nodes_) {
    if (const auto event = one->next_event()) until = std::min(until, *event);
    if (!one->has_connection()) continue;
    polled.push_back(one->wanted());
    nodes.push_back(one.get());
  }
  const auto left = std::chrono::ceil<milliseconds>(until - BootClock::now()).count();
  poll(polled.data(), polled.size(), static_cast<int>(std::max<std::int64_t>(left, 0)));
  if (polled.front().revents != 0) {
    eventfd_t ignored = 0;
    eventfd_read(wake_, &ignored);
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (polled[i + 1].revents != 0) nodes[i]->proceed();
  }
}

void RedisLoop::again(RedisRequestPtr request, milliseconds delay) {
  delayed_.emplace(BootClock::now() + delay, std::move(request));
}

void RedisLoop::moved(RedisRequestPtr request, std::uint16_t slot, RedisEndpoint to) {
  auto& where = node(to);
  // One slot of a range has moved: the range as a whole is learnt when its node opens.
  if (slot > 0 && !slots_.contains(static_cast<std::uint16_t>(slot - 1))) {
    slots_[static_cast<std::uint16_t>(slot - 1)] = &node_of_slot(slot);
  }
  slots_[slot] = &where;
  where.submit(std::move(request));
}

void RedisLoop::ask(RedisRequestPtr request, RedisEndpoint to) {
  request->ask = true;
  node(to).submit(std::move(request));
}

void RedisLoop::opened(RedisNode& from, const RedisFacts& facts) {
  last_failure_.clear();
  cluster_ = facts.cluster;
  if (cluster_) learn_slots(from, facts.slots);
}

void RedisLoop::route(RedisRequestPtr request) {
  if (!cluster_) return first_->submit(std::move(request));
  // No claim before the store itself is known to be the one that it was.
  auto& watched = node_of_slot(redis_slot(shared_->names.store()));
  if (!watched.is_ready()) watched.want();
  if (!watched.refusal().empty()) return request->fail(watched.refusal());
  if (shared_->memory.identity().empty()) return again(std::move(request), join_pause);
  auto* where = &node_of_slot(redis_slot(request->name));
  if (!where->is_ready()) {
    // Somebody else knows who keeps the key by now.
    for (auto& [endpoint, other] : nodes_) {
      if (other->is_ready()) where = other.get();
    }
  }
  where->submit(std::move(request));
}

RedisNode& RedisLoop::node(const RedisEndpoint& endpoint) {
  auto& one = nodes_[endpoint];
  if (!one) one = std::make_unique<RedisNode>(*shared_, endpoint, *this);
  return *one;
}

RedisNode& RedisLoop::node_of_slot(std::uint16_t slot) {
  const auto found = slots_.lower_bound(slot);
  return found == slots_.end() ? *first_ : *found->second;
}

void RedisLoop::learn_slots(const RedisNode& from, const std::vector<RespValue>& ranges) {
  std::map<std::uint16_t, RedisNode*> learnt;
  for (const auto& range : ranges) {
    if (range.items.size() < 3 || range.items[2].items.size() < 2) continue;
    const auto last = range.items[1].integer;
    const auto& primary = range.items[2].items;
    RedisEndpoint endpoint{primary[0].text, static_cast<std::uint16_t>(primary[1].integer)};
    if (endpoint.host.empty()) endpoint.host = from.endpoint().host;
    if (last >= 0 && last <= last_slot) learnt[static_cast<std::uint16_t>(last)] = &node(endpoint);
  }
  if (!learnt.empty()) slots_ = std::move(learnt);
}

}  // namespace sms::detail
