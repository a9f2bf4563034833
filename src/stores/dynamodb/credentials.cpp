#include <sms/adapter_kit.hpp>
#include <sms/error.hpp>
#include <sms/stores/dynamodb.hpp>

#include "core/json_reading.hpp"
#include "core/url.hpp"

#include <charconv>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>
#include <utility>

namespace sms {
namespace {

using std::chrono::milliseconds;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

StoreUnavailableError missing(const std::string& reason) { return {"credentials", reason}; }

class StaticCredentials final : public AwsCredentialsProvider {
 public:
  explicit StaticCredentials(AwsCredentials credentials) : credentials_(std::move(credentials)) {}
  void credentials(Callback<AwsCredentials> done) override { done(credentials_); }

 private:
  AwsCredentials credentials_;
};

std::optional<AwsCredentials> from_environment() {
  AwsCredentials found;
  found.access_key_id = environment("AWS_ACCESS_KEY_ID");
  found.secret_access_key = environment("AWS_SECRET_ACCESS_KEY");
  found.session_token = environment("AWS_SESSION_TOKEN");
  if (found.access_key_id.empty() || found.secret_access_key.empty()) return std::nullopt;
  return found;
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view blank = " \t\r";
  const auto first = text.find_first_not_of(blank);
  return first == std::string_view::npos ? "" : text.substr(first, text.find_last_not_of(blank) - first + 1);
}

std::optional<AwsCredentials> from_profile() {
  auto path = environment("AWS_SHARED_CREDENTIALS_FILE");
  if (path.empty()) path = environment("HOME") + "/.aws/credentials";
  auto profile = environment("AWS_PROFILE");
  if (profile.empty()) profile = "default";

  std::ifstream file(path);
  AwsCredentials found;
  bool in_profile = false;
  for (std::string line; std::getline(file, line);) {
    const auto text = trim(line);
    if (text.empty() || text.front() == '#' || text.front() == ';') continue;
    if (text.front() == '[') {
      in_profile = trim(text.substr(1, text.find(']') - 1)) == profile;
      continue;
    }
    const auto equals = text.find('=');
    if (!in_profile || equals == std::string_view::npos) continue;
    const auto name = trim(text.substr(0, equals));
    const std::string value(trim(text.substr(equals + 1)));
    if (name == "aws_access_key_id") found.access_key_id = value;
    if (name == "aws_secret_access_key") found.secret_access_key = value;
    if (name == "aws_session_token") found.session_token = value;
  }
  if (found.access_key_id.empty() || found.secret_access_key.empty()) return std::nullopt;
  return found;
}

/// `2026-12-03T10:15:00Z`, with or without a fraction.
std::optional<WallTime> iso_time(std::string_view text) {
  const auto number = [&](std::size_t at, std::size_t length) {
    int value = -1;
    if (text.size() >= at + length) std::from_chars(text.data() + at, text.data() + at + length, value);
    return value;
  };
  if (text.size() < 20 || !text.ends_with('Z')) return std::nullopt;
  const std::chrono::year_month_day day{std::chrono::year(number(0, 4)),
                                        std::chrono::month(static_cast<unsigned>(number(5, 2))),
                                        std::chrono::day(static_cast<unsigned>(number(8, 2)))};
  if (!day.ok() || number(11, 2) < 0 || number(14, 2) < 0 || number(17, 2) < 0) return std::nullopt;
  return std::chrono::sys_days(day) + std::chrono::hours(number(11, 2)) + std::chrono::minutes(number(14, 2)) +
         std::chrono::seconds(number(17, 2));
}

Expected<AwsCredentials> from_answer(const HttpExchange& answer) {
  if (answer.evidence != Evidence::answered) return missing("the container's endpoint did not answer");
  if (answer.status != 200) {
    return missing("the container's endpoint answered status " + std::to_string(answer.status));
  }
  const auto json = detail::parse_json(answer.body);
  const auto text = [&](std::string_view name) {
    return std::string(detail::as_string(detail::field(json ? &*json : nullptr, name)).value_or(""));
  };
  AwsCredentials found;
  found.access_key_id = text("AccessKeyId");
  found.secret_access_key = text("SecretAccessKey");
  found.session_token = text("Token");
  found.expires_at = iso_time(text("Expiration"));
  if (found.access_key_id.empty() || found.secret_access_key.empty()) {
    return missing("the container's endpoint answered no credentials");
  }
  return found;
}

/// Where a container's token may be sent (docs.aws.amazon.com/sdkref/latest/guide/feature-container-credentials.html).
bool may_be_asked(const std::string& url) {
  const auto parsed = detail::parse_http_url(url);
  if (!parsed) return false;
  const auto host = url.substr(0, url.find_first_of("/?#", url.find("://") + 3));
  return parsed->https || parsed->loopback || host == "http://169.254.170.2" || host == "http://169.254.170.23" ||
         host == "http://[fd00:ec2::23]";
}

class DefaultCredentials final : public AwsCredentialsProvider {
 public:
  explicit DefaultCredentials(std::shared_ptr<Transport> transport) : transport_(std::move(transport)) {}

  void credentials(Callback<AwsCredentials> done) override {
    if (auto found = from_environment()) return done(*std::move(found));
    if (auto found = from_profile()) return done(*std::move(found));
    if (!environment("AWS_PROFILE").empty()) {
      return done(missing("AWS_PROFILE names a profile that the credentials file does not have"));
    }
    from_container(std::move(done));
  }

 private:
  void from_container(Callback<AwsCredentials> done) {
    const auto relative = environment("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI");
    HttpRequest request;
    request.method = "GET";
    request.url =
        relative.empty() ? environment("AWS_CONTAINER_CREDENTIALS_FULL_URI") : "http://169.254.170.2" + relative;
    if (request.url.empty()) {
      return done(missing("no AWS credentials in the environment, in a credentials file or from a container"));
    }
    if (!may_be_asked(request.url)) {
      return done(
          missing("AWS_CONTAINER_CREDENTIALS_FULL_URI must be https, or http to a loopback address or AWS's own"));
    }
    auto token = environment("AWS_CONTAINER_AUTHORIZATION_TOKEN");
    if (const auto path = environment("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"); !path.empty()) {
      std::ifstream file(path);
      if (!std::getline(file, token)) return done(missing("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE cannot be read"));
      token = std::string(trim(token));
    }
    if (token.find_first_of(std::string_view("\r\n\0", 3)) != std::string::npos) {
      return done(missing("the container's authorization token must not contain CR, LF or NUL"));
    }
    if (!token.empty()) request.headers.push_back({"Authorization", token});
    ExchangeOptions options;
    options.timeout = std::chrono::seconds(2);
    const auto answer = std::make_shared<Callback<AwsCredentials>>(std::move(done));
    transport_->exchange(std::move(request), options, std::make_shared<AttemptGate>(),
                         [answer](Expected<HttpExchange> exchange) {
                           if (!exchange) return (*answer)(missing("the container's endpoint did not answer"));
                           (*answer)(from_answer(*exchange));
                         });
  }

  std::shared_ptr<Transport> transport_;
};

}  // namespace

std::shared_ptr<AwsCredentialsProvider> static_aws_credentials(AwsCredentials credentials) {
  return std::make_shared<StaticCredentials>(std::move(credentials));
}

std::shared_ptr<AwsCredentialsProvider> default_aws_credentials(std::shared_ptr<Transport> transport) {
  return std::make_shared<DefaultCredentials>(std::move(transport));
}

}  // namespace sms
