#include "stores/dynamodb/dynamo_fixture.hpp"
#include "stores/dynamodb/environment.hpp"
#include "support/temporary_folder.hpp"

#include <atomic>
#include <fstream>
#include <future>

namespace sms::tests {
namespace {

using ::testing::HasSubstr;

/// Credentials as a provider would give them: the newest of a list that the test makes longer.
class ListedCredentials final : public AwsCredentialsProvider {
 public:
  void credentials(Callback<AwsCredentials> done) override {
    ++asked;
    if (fails) return done(StoreUnavailableError("credentials", "none today"));
    done(current);
  }
  AwsCredentials current{"AKIDSTUB", "stub-secret", {}, {}};
  std::atomic<int> asked{0};
  std::atomic<bool> fails{false};
};

class AwsCredentialsTest : public DynamoTest {
 protected:
  static Expected<AwsCredentials> found(AwsCredentialsProvider& provider) {
    std::promise<Expected<AwsCredentials>> promise;
    auto answer = promise.get_future();
    provider.credentials([&](Expected<AwsCredentials> result) { promise.set_value(std::move(result)); });
    return answer.get();
  }
  static Expected<AwsCredentials> found() { return found(*default_aws_credentials(curl_transport())); }
  static std::string why_none() {
    const auto answer = found();
    return answer ? "found " + answer->access_key_id : answer.error().what();
  }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder.file(name)) << text;
    return folder.file(name);
  }

  TemporaryFolder folder;
  Environment environment{{"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE",
                           "AWS_SHARED_CREDENTIALS_FILE", "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
                           "AWS_CONTAINER_CREDENTIALS_FULL_URI", "AWS_CONTAINER_AUTHORIZATION_TOKEN",
                           "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", "HOME", "AWS_REGION", "AWS_DEFAULT_REGION"}};
};

TEST_F(AwsCredentialsTest, come_from_the_environment_first) {
  environment.set("AWS_SHARED_CREDENTIALS_FILE",
                  write("credentials", "[default]\naws_access_key_id=AKIDFILE\naws_secret_access_key=file-secret\n"));
  environment.set("AWS_ACCESS_KEY_ID", "AKIDENV");
  environment.set("AWS_SECRET_ACCESS_KEY", "env-secret");
  environment.set("AWS_SESSION_TOKEN", "env-token");
  const auto credentials = found();
  ASSERT_TRUE(credentials);
  EXPECT_EQ(credentials->access_key_id, "AKIDENV");
  EXPECT_EQ(credentials->secret_access_key.reveal(), "env-secret");
  EXPECT_EQ(credentials->session_token.reveal(), "env-token");
}

TEST_F(AwsCredentialsTest, come_from_the_named_profile_of_the_file) {
  environment.set("AWS_SHARED_CREDENTIALS_FILE",
                  write("credentials",
                        "# people's keys\n[default]\naws_access_key_id = AKIDDEFAULT\naws_secret_access_key = a=b\n\n"
                        "[ sender ]\r\n; the service's\r\naws_access_key_id=AKIDSENDER\r\n"
                        "aws_secret_access_key = sender/secret+= \r\naws_session_token=t\r\n"));
  EXPECT_EQ(found()->access_key_id, "AKIDDEFAULT");
  EXPECT_EQ(found()->secret_access_key.reveal(), "a=b");
  environment.set("AWS_PROFILE", "sender");
  EXPECT_EQ(found()->access_key_id, "AKIDSENDER");
  EXPECT_EQ(found()->secret_access_key.reveal(), "sender/secret+=");
  EXPECT_EQ(found()->session_token.reveal(), "t");
  environment.set("AWS_PROFILE", "nobody");
  EXPECT_THAT(why_none(), HasSubstr("AWS_PROFILE"));
}

TEST_F(AwsCredentialsTest, come_from_the_home_folder) {
  std::filesystem::create_directory(folder.path() / ".aws");
  write(".aws/credentials", "[default]\naws_access_key_id=AKIDHOME\naws_secret_access_key=s\n");
  environment.set("HOME", folder.path());
  EXPECT_EQ(found()->access_key_id, "AKIDHOME");
}

TEST_F(AwsCredentialsTest, come_from_the_endpoint_of_the_container) {
  const ScriptedServer endpoint(ScriptedServer::Mode::http, [](const SeenRequest& request) -> Reaction {
    const bool known = request.head.find("Authorization: token-of-the-file") != std::string::npos;
    if (!known) return {http_answer(403, "{}")};
    return {http_answer(200, R"({"AccessKeyId":"AKIDBOX","SecretAccessKey":"box-secret","Token":"box-token",)"
                             R"("Expiration":"2027-01-02T03:04:05Z"})")};
  });
  environment.set("AWS_CONTAINER_CREDENTIALS_FULL_URI", endpoint.url("/role"));
  environment.set("AWS_CONTAINER_AUTHORIZATION_TOKEN", "another");
  EXPECT_THAT(why_none(), HasSubstr("status 403"));
  environment.set("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", write("token", "token-of-the-file\n"));
  const auto credentials = found();
  ASSERT_TRUE(credentials);
  EXPECT_EQ(credentials->access_key_id, "AKIDBOX");
  EXPECT_EQ(credentials->session_token.reveal(), "box-token");
  EXPECT_EQ(credentials->expires_at, WallTime(std::chrono::sys_days(std::chrono::year(2027) / 1 / 2) + 3h + 4min + 5s));
}

TEST_F(AwsCredentialsTest, are_not_asked_for_over_plain_http_from_anywhere) {
  environment.set("AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://example.com/role");
  EXPECT_THAT(why_none(), HasSubstr("must be https"));
}

TEST_F(AwsCredentialsTest, that_are_nowhere_make_the_store_unavailable) {
  environment.set("HOME", folder.path());
  auto options = stub_options(stub);
  options.credentials.reset();
  const auto store = dynamodb_idempotency_store(options);
  EXPECT_THAT(why_not([&] { probe(store).claims("order:1", owner_1); }), HasSubstr("no AWS credentials"));
  environment.set("AWS_ACCESS_KEY_ID", "AKIDSTUB");
  environment.set("AWS_SECRET_ACCESS_KEY", "stub-secret");
  EXPECT_TRUE(eventually([&] { return why_not([&] { store->maintenance()->migrate(); }).empty(); }));
  EXPECT_TRUE(probe(store).claims("order:1", owner_1));
}

TEST_F(AwsCredentialsTest, are_kept_and_asked_for_again_when_refused) {
  const auto provider = std::make_shared<ListedCredentials>();
  auto options = stub_options(stub);
  options.credentials = provider;
  auto store = probe(open(options));
  EXPECT_TRUE(store.claims("order:1", owner_1));
  EXPECT_EQ(provider->asked, 1);
  stub.set_credentials("AKIDNEXT", "next-secret", "next-token");
  provider->current = {"AKIDNEXT", "next-secret", "next-token", {}};
  EXPECT_TRUE(store.claims("order:2", owner_1));
  EXPECT_EQ(provider->asked, 2);
}

TEST_F(AwsCredentialsTest, that_end_soon_are_renewed_before_and_used_until_the_end) {
  const auto provider = std::make_shared<ListedCredentials>();
  provider->current.expires_at = StoreProbe::now() + 4min;
  auto options = stub_options(stub);
  options.credentials = provider;
  auto store = probe(open(options));
  EXPECT_TRUE(store.claims("order:1", owner_1));
  EXPECT_EQ(provider->asked, 1) << "just asked: it will not help to ask again at once";

  provider->current.expires_at = StoreProbe::now() - 1min;
  const auto ended = dynamodb_idempotency_store(options);
  EXPECT_TRUE(probe(ended).claims("order:2", owner_1)) << "whether they have ended is for AWS to say";
  provider->fails = true;
  EXPECT_THAT(why_not([&] { probe(ended).claims("order:3", owner_1); }), HasSubstr("none today"));
}

TEST_F(AwsCredentialsTest, options_that_cannot_work_are_refused) {
  const auto refused = [&](auto change) {
    auto options = stub_options(stub);
    change(options);
    try {
      dynamodb_idempotency_store(options);
    } catch (const ConfigurationError& error) {
      return std::string(error.what());
    }
    return std::string("taken");
  };
  EXPECT_EQ(refused([](auto&) {}), "taken");
  EXPECT_THAT(refused([](auto& options) { options.table = "no spaces"; }), HasSubstr("table"));
  EXPECT_THAT(refused([](auto& options) { options.region = ""; }), HasSubstr("region"));
  EXPECT_THAT(refused([](auto& options) { options.region = "eu-west-1/evil"; }), HasSubstr("region"));
  EXPECT_THAT(refused([](auto& options) { options.endpoint = "http://example.com"; }), HasSubstr("https"));
  EXPECT_THAT(refused([](auto& options) { options.endpoint = "https://example.com/path"; }), HasSubstr("path"));
  EXPECT_THAT(refused([](auto& options) { options.operation_timeout = 0ms; }), HasSubstr("operation_timeout"));
  EXPECT_THAT(refused([](auto& options) { options.max_in_flight = 0; }), HasSubstr("max_in_flight"));
}

TEST_F(AwsCredentialsTest, a_url_names_all_options) {
  const auto options = dynamodb_options(
      "dynamodb://keys?region=eu-west-1&endpoint=http%3A%2F%2F127.0.0.1:4567&home_region=eu-west-1&"
      "operation_timeout=2500ms&max_in_flight=8&allow_insecure=true");
  EXPECT_EQ(options.table, "keys");
  EXPECT_EQ(options.region, "eu-west-1");
  EXPECT_EQ(options.endpoint, "http://127.0.0.1:4567");
  EXPECT_EQ(options.home_region, "eu-west-1");
  EXPECT_EQ(options.operation_timeout, 2'500ms);
  EXPECT_EQ(options.max_in_flight, 8U);
  EXPECT_TRUE(options.allow_insecure);
  environment.set("AWS_DEFAULT_REGION", "us-west-2");
  EXPECT_EQ(dynamodb_options("dynamodb://keys").region, "us-west-2");
  environment.set("AWS_REGION", "eu-north-1");
  EXPECT_EQ(dynamodb_options("dynamodb://keys").region, "eu-north-1");
}

TEST_F(AwsCredentialsTest, a_url_with_a_fault_is_refused_without_repeating_it) {
  for (const auto* url : {"dynamodb:keys", "dynamodb://keys?password=hunter2", "dynamodb://keys?hunter2",
                          "dynamodb://keys?operation_timeout=hunter2", "dynamodb://keys?max_in_flight=-1"}) {
    try {
      dynamodb_options(url);
      ADD_FAILURE() << url;
    } catch (const ConfigurationError& error) {
      EXPECT_EQ(std::string(error.what()).find("hunter2"), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace sms::tests
