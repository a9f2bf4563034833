#pragma once

#include <sms/clock.hpp>
#include <sms/expected.hpp>
#include <sms/idempotency.hpp>
#include <sms/secret.hpp>
#include <sms/transport.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace sms {

/// What signs a request to AWS.
struct AwsCredentials {
  std::string access_key_id;
  Secret secret_access_key;
  Secret session_token = {};                ///< Empty for long-lived keys.
  std::optional<WallTime> expires_at = {};  ///< Of temporary ones; they are asked for again five minutes before.
};

/// Port: where credentials come from. A store keeps what it was given until it nears its end or AWS refuses it.
///
/// Safe from any thread; the callback may run inside the call. Errors should be `StoreUnavailableError`; their texts
/// must hold no secret.
class AwsCredentialsProvider {
 public:
  virtual ~AwsCredentialsProvider() = default;
  virtual void credentials(Callback<AwsCredentials> done) = 0;
};

/// Always these.
std::shared_ptr<AwsCredentialsProvider> static_aws_credentials(AwsCredentials credentials);

/// The first of these that is there, looked for at each call:
///
/// 1. the variables `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN` of the environment;
/// 2. the profile `AWS_PROFILE` (else `default`) of the file `AWS_SHARED_CREDENTIALS_FILE` (else `~/.aws/credentials`);
/// 3. the endpoint of the container (ECS, EKS Pod Identity): `AWS_CONTAINER_CREDENTIALS_RELATIVE_URI`, or
///    `AWS_CONTAINER_CREDENTIALS_FULL_URI` with `AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE` or
///    `AWS_CONTAINER_AUTHORIZATION_TOKEN`. Plain http only to a loopback address or to one of AWS's own.
///
/// The metadata service of EC2, SSO and role assumption are not looked at: give a provider of your own for those.
/// `transport`: for the container's endpoint.
std::shared_ptr<AwsCredentialsProvider> default_aws_credentials(std::shared_ptr<Transport> transport);

struct DynamodbOptions {
  std::string table;
  std::string region;         ///< As `eu-west-1`.
  std::string endpoint = {};  ///< Base URL; empty: AWS's own of the region.
  /// Lets `endpoint` be plain http to another machine: nobody between may be hostile, since bodies are readable.
  bool allow_insecure = false;
  /// The one region in which the keys of a global table are used. A table with replicas is refused where this is not
  /// `region`: replicas are written by the last writer, and two regions may claim one key each.
  std::string home_region = {};
  /// From the call of an operation to its answer; below the client's `store_timeout`.
  std::chrono::milliseconds operation_timeout{4'000};
  std::size_t max_in_flight = 64;  ///< Requests under way at once, of the transport that the store makes.

  std::shared_ptr<AwsCredentialsProvider> credentials = {};  ///< Null: `default_aws_credentials`.
  std::shared_ptr<Transport> transport = {};                 ///< Null: one of its own, on libcurl.
  std::shared_ptr<Clock> clock = {};  ///< Null: the machine's. Timers, and the first guess of the time.
};

/// The options that a URL names: `dynamodb://TABLE?region=eu-west-1`, further `endpoint`, `allow_insecure=true`,
/// `home_region`, `operation_timeout` (as `4s` or `500ms`) and `max_in_flight`. Without `region`: `AWS_REGION`, then
/// `AWS_DEFAULT_REGION` of the environment. Throws `ConfigurationError`, never repeating the URL.
DynamodbOptions dynamodb_options(std::string_view url);

/// Keeps keys in a table of Amazon DynamoDB: for many machines, without a server of one's own. One item is one key, one
/// conditional write is one claim, every read is consistent.
///
/// Does not connect: the first operation looks at the table (as later ones do after a failure), and until table and
/// identity are as they must be every operation answers `StoreUnavailableError` with the reason. Goes by the time of
/// DynamoDB's own answers, to within a second, whatever the clock of this machine says. Has the evidence, the
/// operators' and the maintenance interface; operators read the whole table.
///
/// Callbacks run on threads of the transport and of the clock. The blocking interfaces must not be called inside one.
/// Destruction answers what is outstanding with `StoreUnavailableError` and waits until nothing is under way.
///
/// Throws `ConfigurationError` for options that cannot work.
std::shared_ptr<IdempotencyStore> dynamodb_idempotency_store(DynamodbOptions options);

}  // namespace sms
