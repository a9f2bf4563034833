#include "stores/postgres/connector.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cstdint>
#include <system_error>

namespace sms::detail {

PgSignal::PgSignal() : descriptor_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
}
PgSignal::~PgSignal() { close(descriptor_); }
void PgSignal::raise() const noexcept {
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = write(descriptor_, &one, sizeof one);
}
void PgSignal::clear() const noexcept {
  std::uint64_t count = 0;
  [[maybe_unused]] const auto taken = read(descriptor_, &count, sizeof count);
}

PgConnector::PgConnector(PgHome& home, const PgSignal& ready)
    : home_(home), ready_(ready), thread_([this] { run(); }) {}

PgConnector::~PgConnector() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  stop_.raise();
  wanted_.notify_one();
  thread_.join();
}

void PgConnector::start() {
  const std::lock_guard lock(mutex_);
  wants_ = true;
  wanted_.notify_one();
}

std::optional<PgConnector::Outcome> PgConnector::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(outcome_, std::nullopt);
}

void PgConnector::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wanted_.wait(lock, [this] { return wants_ || stopped_; });
    if (stopped_) return;
    wants_ = false;
    lock.unlock();
    Outcome outcome;
    try {
      outcome.session = home_.open(home_.connect_deadline(), stop_.descriptor());
    } catch (const PgRefusal& refusal) {
      outcome.trouble = refusal.what();
      outcome.refused = true;
    } catch (const std::exception& failure) {
      outcome.trouble = failure.what();
    }
    lock.lock();
    outcome_ = std::move(outcome);
    ready_.raise();
  }
}

}  // namespace sms::detail
