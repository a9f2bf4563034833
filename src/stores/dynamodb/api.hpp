#pragma once

#include <sms/stores/dynamodb.hpp>

#include "core/json_reading.hpp"
#include "core/task.hpp"
#include "stores/dynamodb/credentials_cache.hpp"
#include "stores/dynamodb/operation.hpp"
#include "stores/dynamodb/server_clock.hpp"

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace sms::detail {

/// DynamoDB says that it will not do it; asking again would not help.
class DynamoRefusal : public std::runtime_error {
 public:
  DynamoRefusal(const std::string& action, const std::string& type)
      : std::runtime_error("DynamoDB refused " + action + ": " + type), type_(type) {}
  /// Its word for it, as `ResourceNotFoundException`.
  const std::string& type() const noexcept { return type_; }

 private:
  std::string type_;
};

struct DynamoAnswer {
  bool condition_failed = false;  ///< Nothing was written. `body` may hold the `Item` that is there.
  boost::json::value body;
};

/// The HTTP API of DynamoDB. Requests are signed, and repeated until the operation is over: every one that the store
/// makes may be executed twice, or late. Thread-safe.
class DynamoApi {
 public:
  /// `options` must be complete.
  explicit DynamoApi(const DynamodbOptions& options);

  /// Throws `DynamoRefusal`, or `StoreUnavailableError` when the operation is over.
  Task<DynamoAnswer> call(std::string action, std::string body, Operation& operation);
  /// Lets some time pass.
  Task<void> pause(std::chrono::nanoseconds time, Operation& operation);

  const ServerClock& clock() const noexcept { return clock_; }

 private:
  /// One exchange, and no more.
  Task<HttpExchange> exchange(const std::string& action, const std::string& body, AwsCredentials credentials,
                              Operation& operation);
  std::chrono::milliseconds time_for_one_try(const Operation& operation) const;

  std::shared_ptr<Transport> transport_;
  std::shared_ptr<Clock> timers_;
  std::string endpoint_, host_, region_;
  std::chrono::milliseconds longest_try_;
  ServerClock clock_;
  CredentialsCache credentials_;
};

}  // namespace sms::detail
