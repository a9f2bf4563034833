#include "stores/postgres/loop.hpp"

#include <poll.h>

#include <algorithm>
#include <utility>

namespace sms::detail {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds retry_pause(100);
constexpr milliseconds refusal_pause(250);

}  // namespace

PgLoop::PgLoop(std::shared_ptr<PgHome> home) : home_(std::move(home)) {}

void PgLoop::submit(std::unique_ptr<PgOperation> operation) {
  operation->deadline = BootClock::now() + home_->options().operation_timeout;
  {
    const std::lock_guard lock(mutex_);
    if (!stopped_) {
      operation->number = ++arrived_;
      arrivals_.push_back(std::move(operation));
      if (arrivals_.size() == 1) signal_.raise();
      return;
    }
  }
  operation->fail("the store is being closed");
}

void PgLoop::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  signal_.raise();
}

void PgLoop::run() {
  PgConnector connector(*home_, signal_);
  while (take_arrivals()) {
    take_connection(connector);
    serve_members();
    drop_late();
    dispatch();
    want_connection(connector);
    wait();
  }
  for (auto& member : std::exchange(members_, {})) {
    for (auto& operation : member->take_batch()) queue_.put_back(std::move(operation));
  }
  fail_all("the store is being closed");
}

bool PgLoop::take_arrivals() {
  PgOperations arrived;
  bool stopped = false;
  {
    const std::lock_guard lock(mutex_);
    signal_.clear();
    arrived.swap(arrivals_);
    stopped = stopped_;
  }
  for (auto& operation : arrived) queue_.add(std::move(operation));
  return !stopped;
}

void PgLoop::take_connection(PgConnector& connector) {
  auto outcome = connector.take();
  if (!outcome) return;
  connecting_ = false;
  refused_ = outcome->refused;
  if (outcome->session) {
    members_.push_back(std::make_unique<PgMember>(*std::move(outcome->session), std::to_string(++connected_) + ":"));
    return;
  }
  trouble_ = "PostgreSQL: " + outcome->trouble;
  next_attempt_ = BootClock::now() + (refused_ ? refusal_pause : retry_pause);
  if (members_.empty() && refused_) fail_all(trouble_);
}

void PgLoop::want_connection(PgConnector& connector) {
  attempt_at_ = TimePoint::max();
  if (connecting_ || queue_.empty() || members_.size() >= home_->options().connections) return;
  if (std::ranges::any_of(members_, [](const auto& member) { return member->idle(); })) return;
  if (BootClock::now() < next_attempt_) {
    attempt_at_ = next_attempt_;
    if (refused_ && members_.empty()) fail_all(trouble_);
    return;
  }
  connecting_ = true;
  connector.start();
}

void PgLoop::serve_members() {
  const auto now = BootClock::now();
  for (auto& member : members_) {
    const bool late = member->deadline() <= now;
    if (late || (member->ready && !member->advance(queue_))) {
      close(member, late ? "the server did not answer in time" : member->trouble());
    }
  }
  std::erase(members_, nullptr);
}

void PgLoop::close(std::unique_ptr<PgMember>& member, const std::string& trouble) {
  trouble_ = "PostgreSQL: " + trouble;
  auto rest = member->take_batch();
  // Before anybody is told.
  member.reset();
  for (auto& operation : rest) put_back(queue_, std::move(operation), trouble_);
}

void PgLoop::drop_late() {
  for (auto& operation : queue_.take_late(BootClock::now())) {
    operation->fail("no answer in time: " + (operation->trouble.empty() ? trouble_ : operation->trouble));
  }
}

bool PgLoop::may_send_lone() const {
  const auto most = std::max<std::size_t>(1, home_->options().connections / 2);
  const auto under_way = std::ranges::count_if(members_, [](const auto& member) { return member && member->lone(); });
  return queue_.has_lone() && static_cast<std::size_t>(under_way) < most;
}

bool PgLoop::may_send() const {
  return std::ranges::any_of(members_, [](const auto& member) { return member->idle(); }) &&
         (queue_.has_common() || may_send_lone());
}

void PgLoop::dispatch() {
  for (auto& member : members_) {
    if (!member->idle()) continue;
    const bool lone = may_send_lone() && (prefer_lone_ || !queue_.has_common());
    if (!lone && !queue_.has_common()) break;
    prefer_lone_ = !lone;
    PgOperations batch;
    if (lone) {
      batch.push_back(queue_.take_lone());
    } else {
      batch = queue_.take_batch(home_->options().max_batch);
    }
    try {
      member->send(std::move(batch), home_->options().operation_timeout);
    } catch (const PgFailure& failure) {
      close(member, failure.what());
    }
  }
  std::erase(members_, nullptr);
}

void PgLoop::wait() {
  std::vector<pollfd> waited = {{signal_.descriptor(), POLLIN, 0}};
  auto until = std::min(queue_.next_deadline(), attempt_at_);
  for (const auto& member : members_) {
    waited.push_back({member->link().descriptor(), member->link().events(), 0});
    until = std::min(until, member->deadline());
  }
  int timeout = -1;
  if (may_send()) {
    timeout = 0;
  } else if (until != TimePoint::max()) {
    const auto left = std::chrono::ceil<milliseconds>(until - BootClock::now()).count();
    timeout = static_cast<int>(std::clamp<std::int64_t>(left, 0, 60'000));
  }
  ::poll(waited.data(), waited.size(), timeout);
  for (std::size_t i = 0; i < members_.size(); ++i) members_[i]->ready = waited[i + 1].revents != 0;
}

void PgLoop::fail_all(const std::string& reason) {
  for (auto& operation : queue_.take_all()) operation->fail(reason);
  PgOperations arrived;
  {
    const std::lock_guard lock(mutex_);
    if (!stopped_) return;
    arrived.swap(arrivals_);
  }
  for (auto& operation : arrived) operation->fail(reason);
}

PgThread::PgThread(std::shared_ptr<PgHome> home)
    : loop_(std::make_shared<PgLoop>(std::move(home))), thread_([loop = loop_] { loop->run(); }) {}

PgThread::~PgThread() {
  loop_->stop();
  if (is_this_thread()) {
    thread_.detach();
  } else {
    thread_.join();
  }
}

}  // namespace sms::detail
