#pragma once

#include <sms/clock.hpp>
#include <sms/secret.hpp>
#include <sms/stores/dynamodb.hpp>
#include <sms/transport.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sms::detail {

/// What AWS Signature Version 4 covers of a request
/// (docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html).
struct SignedParts {
  std::string method = "POST";
  std::string path = "/";                                       ///< Percent-encoded.
  std::vector<std::pair<std::string, std::string>> query = {};  ///< Names and values, not encoded.
  std::vector<Header> headers = {};                             ///< All that are signed; `Host` and `X-Amz-Date` too.
  std::string_view body = {};
};

struct SigningScope {
  std::string region;
  std::string service;
};

/// The two texts on the way to a signature, of which AWS publishes examples.
std::string canonical_request(const SignedParts& parts);
std::string string_to_sign(const SignedParts& parts, const SigningScope& scope, WallTime at);

/// The value of the header `Authorization`.
std::string authorization(const SignedParts& parts, const SigningScope& scope, const AwsCredentials& credentials,
                          WallTime at);

/// `20150830T123600Z`
std::string amz_date(WallTime at);

/// Adds date, session token and signature to a POST of this body to the root of `host`.
void sign(HttpRequest& request, const std::string& host, const SigningScope& scope, const AwsCredentials& credentials,
          WallTime at);

}  // namespace sms::detail
