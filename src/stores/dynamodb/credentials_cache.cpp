#include "stores/dynamodb/credentials_cache.hpp"

#include <sms/error.hpp>

#include <chrono>
#include <utility>

namespace sms::detail {
namespace {

using namespace std::chrono_literals;

constexpr auto renew_before_end = 5min;
constexpr auto pause_between_renewals = 10s;

}  // namespace

std::optional<AwsCredentials> CredentialsCache::kept(bool also_near_end) const {
  const auto now = clock_.now();
  const std::lock_guard lock(mutex_);
  if (!kept_ || !kept_->expires_at) return kept_;
  const bool just_asked = clock_.boot_time() - asked_at_ < pause_between_renewals;
  const auto end = *kept_->expires_at - (also_near_end || just_asked ? 0min : renew_before_end);
  return now < end ? kept_ : std::nullopt;
}

Task<AwsCredentials> CredentialsCache::get(Operation& operation) {
  if (auto good = kept(false)) co_return *std::move(good);
  auto fresh = co_await run_.outcome(operation, [this](Callback<AwsCredentials> done) { ask(std::move(done)); });
  if (fresh) {
    const std::lock_guard lock(mutex_);
    kept_ = *fresh;
    co_return *std::move(fresh);
  }
  if (auto old = kept(true)) co_return *std::move(old);
  fresh.error().raise();
}

void CredentialsCache::ask(Callback<AwsCredentials> done) {
  {
    const std::lock_guard lock(mutex_);
    asked_at_ = clock_.boot_time();
  }
  const auto answer = std::make_shared<Callback<AwsCredentials>>(std::move(done));
  try {
    provider_->credentials([answer](Expected<AwsCredentials> credentials) { (*answer)(std::move(credentials)); });
  } catch (...) {
    (*answer)(StoreUnavailableError("credentials", "the provider of credentials threw", std::current_exception()));
  }
}

void CredentialsCache::refused(const AwsCredentials& credentials) {
  const std::lock_guard lock(mutex_);
  if (kept_ && kept_->access_key_id == credentials.access_key_id &&
      kept_->session_token.reveal() == credentials.session_token.reveal() &&
      kept_->secret_access_key.reveal() == credentials.secret_access_key.reveal()) {
    kept_.reset();
  }
}

}  // namespace sms::detail
