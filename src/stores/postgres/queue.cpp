#include "stores/postgres/queue.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace sms::detail {
namespace {

constexpr auto suspicion = std::chrono::seconds(2);
constexpr std::size_t most_suspects = 10'000;

}  // namespace

bool PgQueue::is_suspect(const std::string& key) {
  const auto found = suspects_.find(key);
  if (found == suspects_.end()) return false;
  if (found->second > BootClock::now()) return true;
  suspects_.erase(found);
  return false;
}

void PgQueue::suspect(const std::string& key) {
  if (suspects_.size() >= most_suspects) suspects_.clear();
  suspects_[key] = BootClock::now() + suspicion;
}

PgQueue::Line& PgQueue::line_of(const PgOperation& operation) {
  return operation.alone ? lone_ : common_[static_cast<std::size_t>(operation.statement())];
}

void PgQueue::add(std::unique_ptr<PgOperation> operation) {
  if (!suspects_.empty() && is_suspect(operation->key)) operation->alone = true;
  auto& line = line_of(*operation);
  line.push_back(std::move(operation));
}

void PgQueue::put_back(std::unique_ptr<PgOperation> operation) {
  auto& line = line_of(*operation);
  if (operation->alone) {
    // Others that go alone have their turn first.
    line.push_back(std::move(operation));
  } else {
    line.push_front(std::move(operation));
  }
}

bool PgQueue::has_common() const {
  return std::ranges::any_of(common_, [](const Line& line) { return !line.empty(); });
}
bool PgQueue::empty() const { return lone_.empty() && !has_common(); }

PgOperations PgQueue::take_batch(std::size_t most) {
  Line* oldest = nullptr;
  for (auto& line : common_) {
    if (!line.empty() && (oldest == nullptr || line.front()->number < oldest->front()->number)) oldest = &line;
  }
  PgOperations batch;
  std::unordered_set<std::string_view> keys;
  Line left;
  const std::size_t looked_at = 4 * most;
  for (std::size_t i = 0; i < looked_at && !oldest->empty() && batch.size() < most; ++i) {
    auto operation = std::move(oldest->front());
    oldest->pop_front();
    if (keys.insert(operation->key).second) {
      batch.push_back(std::move(operation));
    } else {
      left.push_back(std::move(operation));
    }
  }
  oldest->insert(oldest->begin(), std::make_move_iterator(left.begin()), std::make_move_iterator(left.end()));
  std::ranges::sort(batch, {}, [](const auto& operation) -> const std::string& { return operation->key; });
  return batch;
}

std::unique_ptr<PgOperation> PgQueue::take_lone() {
  auto operation = std::move(lone_.front());
  lone_.pop_front();
  return operation;
}

PgOperations PgQueue::take_late(BootClock::time_point now) {
  PgOperations late;
  for (auto& line : common_) {
    // Mostly in the order of their deadlines: what is behind a later one waits a little longer for its error.
    while (!line.empty() && line.front()->deadline <= now) {
      late.push_back(std::move(line.front()));
      line.pop_front();
    }
  }
  for (auto& operation : lone_) {
    if (operation->deadline <= now) late.push_back(std::move(operation));
  }
  std::erase(lone_, nullptr);
  return late;
}

PgOperations PgQueue::take_all() {
  PgOperations all;
  for (auto& line : common_) std::ranges::move(std::exchange(line, {}), std::back_inserter(all));
  std::ranges::move(std::exchange(lone_, {}), std::back_inserter(all));
  return all;
}

BootClock::time_point PgQueue::next_deadline() const {
  auto next = BootClock::time_point::max();
  for (const auto& line : common_) {
    if (!line.empty()) next = std::min(next, line.front()->deadline);
  }
  for (const auto& operation : lone_) next = std::min(next, operation->deadline);
  return next;
}

}  // namespace sms::detail
