#include "stores/dynamodb/server_clock.hpp"

#include <sms/adapter_kit.hpp>

#include <algorithm>
#include <utility>

namespace sms::detail {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

std::optional<nanoseconds> since_epoch(std::string_view date) {
  // A number would be a delay, not a date.
  if (date.empty() || (date.front() >= '0' && date.front() <= '9')) return std::nullopt;
  return parse_retry_after(date, WallTime());
}

}  // namespace

ServerClock::ServerClock(std::shared_ptr<Clock> local) : local_(std::move(local)) {
  offset_ = local_->now().time_since_epoch() - local_->boot_time().time_since_epoch();
}

WallTime ServerClock::now() const {
  const std::lock_guard lock(mutex_);
  return WallTime(std::chrono::floor<milliseconds>(local_->boot_time().time_since_epoch() + offset_));
}

void ServerClock::observe(std::string_view date, BootClock::time_point sent) {
  const auto said = since_epoch(date);
  if (!said) return;
  // The server read its clock, and cut off less than a second, at some time since the request left.
  const auto least = *said - local_->boot_time().time_since_epoch();
  const auto most = *said + std::chrono::seconds(1) - sent.time_since_epoch();
  const std::lock_guard lock(mutex_);
  offset_ = std::clamp(offset_, least, std::max(least, most));
  observed_ = true;
}

milliseconds ServerClock::ahead() const {
  const std::lock_guard lock(mutex_);
  return std::chrono::floor<milliseconds>(local_->now().time_since_epoch() - local_->boot_time().time_since_epoch() -
                                          offset_);
}

bool ServerClock::observed() const {
  const std::lock_guard lock(mutex_);
  return observed_;
}

}  // namespace sms::detail
