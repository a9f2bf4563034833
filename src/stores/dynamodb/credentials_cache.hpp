#pragma once

#include <sms/stores/dynamodb.hpp>

#include "core/task.hpp"
#include "stores/dynamodb/operation.hpp"
#include "stores/dynamodb/server_clock.hpp"
#include "stores/dynamodb/shared_run.hpp"

#include <memory>
#include <mutex>
#include <optional>

namespace sms::detail {

/// Keeps credentials until shortly before their end. Thread-safe.
class CredentialsCache {
 public:
  CredentialsCache(std::shared_ptr<AwsCredentialsProvider> provider, const ServerClock& clock)
      : provider_(std::move(provider)), clock_(clock) {}

  /// Throws what the provider answers when it has none and none are left.
  Task<AwsCredentials> get(Operation& operation);
  /// AWS did not take them: they are asked for again, though they have not ended.
  void refused(const AwsCredentials& credentials);

 private:
  /// What is kept, where it need not be asked for.
  std::optional<AwsCredentials> kept(bool also_near_end) const;
  void ask(Callback<AwsCredentials> done);

  std::shared_ptr<AwsCredentialsProvider> provider_;
  const ServerClock& clock_;
  SharedRun<AwsCredentials> run_;
  mutable std::mutex mutex_;
  std::optional<AwsCredentials> kept_;
  BootClock::time_point asked_at_{};
};

}  // namespace sms::detail
