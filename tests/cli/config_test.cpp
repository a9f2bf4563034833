#include "config.hpp"

#include <sms/error.hpp>

#include "client_options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>

namespace sms::cli {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

Environment environment(std::map<std::string, std::string> values = {}) {
  return [values = std::move(values)](const std::string& name) -> std::optional<std::string> {
    const auto found = values.find(name);
    if (found == values.end()) return std::nullopt;
    return found->second;
  };
}

Config read(const std::string& text, const Environment& variables = environment()) {
  Config config;
  read_config_text(config, text, "sms-sdk.toml", variables);
  return config;
}

std::string fault_of(const std::string& text, const Environment& variables = environment()) {
  try {
    read(text, variables);
  } catch (const ConfigurationError& error) {
    return error.what();
  }
  return "no fault";
}

const std::string twilio_table = R"([[adapters]]
provider = "twilio"
account_sid = "AC00000000000000000000000000000001"
auth_token = "made-up-token"
from = "+15550100001"
)";

TEST(ConfigFile, SetsEveryKeyOfTheClient) {
  const Config config = read(R"([store]
url = "sqlite:keys.db"
[client]
fallback = "on_known_rejection"
timeout = "8s"
max_attempts = 3
base_delay = "100ms"
max_delay = "2s"
queue_timeout = "1s"
policy_timeout = "3s"
late_answer_window = "30s"
ttl = "7d"
stale_reservation = "10m"
store_timeout = "4s"
finalize_timeout = "6s"
posting_mark = false
settle = "15m"
expect_store = "0f0f"
in_progress = "wait:10s"
)");
  EXPECT_EQ(config.store_url, "sqlite:keys.db");
  EXPECT_EQ(config.client.fallback, Fallback::on_known_rejection);
  EXPECT_EQ(config.client.timeout, 8s);
  EXPECT_EQ(config.client.retry.max_attempts, 3);
  EXPECT_EQ(config.client.retry.base_delay, 100ms);
  EXPECT_EQ(config.client.retry.max_delay, 2s);
  EXPECT_EQ(config.client.queue_timeout, 1s);
  EXPECT_EQ(config.client.policy_timeout, 3s);
  EXPECT_EQ(config.client.late_answer_window, 30s);
  EXPECT_EQ(config.idempotency.ttl, 168h);
  EXPECT_EQ(config.idempotency.stale_reservation, 10min);
  EXPECT_EQ(config.idempotency.store_timeout, 4s);
  EXPECT_EQ(config.idempotency.finalize_timeout, 6s);
  EXPECT_EQ(config.idempotency.posting_mark, false);
  EXPECT_EQ(config.idempotency.expect_store, "0f0f");
  EXPECT_EQ(config.idempotency.in_progress.wait_up_to, 10s);
  EXPECT_EQ(config.settle, 15min);
}

TEST(ConfigFile, SetsEveryKeyOfItsAdaptersInTheirOrder) {
  const Config config = read(R"([[adapters]]
provider = "telnyx"
name = "second"
api_key = "made-up"
messaging_profile_id = "p-1"
from = "sender:Bank"
base_url = "http://127.0.0.1:9"
allow_insecure = true
connection_reuse = "never"
[[adapters]]
provider = "twilio"
account_sid = "AC00000000000000000000000000000001"
api_key_sid = "SK1"
api_key_secret = "made-up"
)");
  ASSERT_EQ(config.adapters.size(), 2U);
  const auto& telnyx = std::get<TelnyxOptions>(config.adapters[0]);
  EXPECT_EQ(telnyx.name, "second");
  EXPECT_EQ(telnyx.api_key.reveal(), "made-up");
  EXPECT_EQ(telnyx.messaging_profile_id, "p-1");
  EXPECT_EQ(telnyx.from, From(SenderId{"Bank"}));
  EXPECT_EQ(telnyx.base_url, "http://127.0.0.1:9");
  EXPECT_TRUE(telnyx.allow_insecure);
  EXPECT_EQ(telnyx.connection_reuse, ConnectionReuse::never);
  const auto& twilio = std::get<TwilioOptions>(config.adapters[1]);
  EXPECT_EQ(twilio.api_key_sid, "SK1");
  EXPECT_EQ(twilio.api_key_secret.reveal(), "made-up");
}

TEST(ConfigFile, NamesTheNearestKeyAndTheTableOfAMisspelledOne) {
  EXPECT_THAT(fault_of("[client]\n\ntime_out = \"8s\"\n"),
              AllOf(HasSubstr("sms-sdk.toml:3:"), HasSubstr("[client] has no key time_out"), HasSubstr("timeout?")));
  EXPECT_THAT(fault_of(twilio_table + "auth_tokn = \"x\"\n"),
              AllOf(HasSubstr("[[adapters]]"), HasSubstr("auth_token?")));
  EXPECT_THAT(fault_of("[store]\nurll = \"x\"\n"), AllOf(HasSubstr("[store]"), HasSubstr("did you mean url?")));
}

TEST(ConfigFile, SaysWhereAKeyBelongsThatStandsElsewhere) {
  EXPECT_THAT(fault_of("timeout = \"8s\"\n"), HasSubstr("it belongs to [client]"));
  EXPECT_THAT(fault_of("[store]\nttl = \"8s\"\n"), HasSubstr("it belongs to [client]"));
  EXPECT_THAT(fault_of("[client]\nurl = \"x\"\n"), HasSubstr("it belongs to [store]"));
  EXPECT_THAT(fault_of(twilio_table + "api_key = \"x\"\n"), HasSubstr("provider telnyx"));
}

TEST(ConfigFile, RefusesTablesThatItDoesNotHave) {
  EXPECT_THAT(fault_of("[clients]\n"), HasSubstr("did you mean client?"));
  EXPECT_THAT(fault_of("[adapters]\nprovider = \"twilio\"\n"), HasSubstr("[[adapters]]"));
  EXPECT_THAT(fault_of("[[store]]\nurl = \"x\"\n"), HasSubstr("[store] stands once"));
  EXPECT_THAT(fault_of("[x]\n"), HasSubstr("there is no table [x]"));
}

TEST(ConfigFile, NamesKeyAndRuleOfAWrongValueButNeverTheValue) {
  EXPECT_THAT(fault_of("[client]\ntimeout = 8\n"), AllOf(HasSubstr("[client] timeout"), HasSubstr("duration")));
  EXPECT_THAT(fault_of("[client]\nttl = \"7 days\"\n"), AllOf(HasSubstr("ttl"), Not(HasSubstr("7 days"))));
  EXPECT_THAT(fault_of("[client]\nmax_attempts = 0\n"), HasSubstr("max_attempts must be a whole number"));
  EXPECT_THAT(fault_of("[client]\nmax_attempts = \"2\"\n"), HasSubstr("max_attempts must be a whole number"));
  EXPECT_THAT(fault_of("[client]\nfallback = \"always\"\n"), HasSubstr("on_known_rejection"));
  EXPECT_THAT(fault_of("[client]\nposting_mark = \"yes\"\n"), HasSubstr("true or false"));
  EXPECT_THAT(fault_of("[client]\nin_progress = \"wait\"\n"), HasSubstr("wait:DURATION"));
  EXPECT_THAT(fault_of("[client]\nin_progress = \"wait:0s\"\n"), HasSubstr("wait:DURATION"));
  EXPECT_THAT(fault_of("[store]\nurl = \"\"\n"), HasSubstr("url must be a string"));
  EXPECT_THAT(fault_of("[[adapters]]\nprovider = \"twilio\"\nfrom = \"89045\"\n"), HasSubstr("from must be +NUMBER"));
}

TEST(ConfigFile, SaysLineOfWhatIsNotToml) { EXPECT_THAT(fault_of("[client\n"), HasSubstr("sms-sdk.toml:1: not TOML")); }

TEST(ConfigFile, SaysPlainlyWhichProvidersItHas) {
  EXPECT_THAT(fault_of("[[adapters]]\nprovider = \"plivo\"\n"), HasSubstr("plivo is planned"));
  EXPECT_THAT(fault_of("[[adapters]]\nprovider = \"twilo\"\n"), HasSubstr("did you mean twilio?"));
  EXPECT_THAT(fault_of("[[adapters]]\nname = \"x\"\n"), HasSubstr("provider must be"));
}

TEST(ConfigFile, TakesRelativeStorePathsFromWhereItStands) {
  const auto url_in = [](const std::string& url) {
    Config config;
    read_config_text(config, "[store]\nurl = \"" + url + "\"\n", "/etc/app/sms-sdk.toml", environment());
    return *config.store_url;
  };
  EXPECT_EQ(url_in("sqlite:keys.db"), "sqlite:/etc/app/keys.db");
  EXPECT_EQ(url_in("keys.db"), "sqlite:/etc/app/keys.db");
  EXPECT_EQ(url_in("sqlite:/var/keys.db"), "sqlite:/var/keys.db");
  EXPECT_EQ(url_in("sqlite:///var/keys.db"), "sqlite:///var/keys.db");
  EXPECT_EQ(url_in("memory:"), "memory:");
}

TEST(Secret, ComesFromTheEnvironmentOrAFileOrStandsThere) {
  const std::string path = testing::TempDir() + "cli_secret";
  std::ofstream(path) << "from-file\n";
  const auto token = [](const std::string& value, const Environment& variables) {
    const Config config = read("[[adapters]]\nprovider = \"twilio\"\nauth_token = \"" + value + "\"\n", variables);
    return std::get<TwilioOptions>(config.adapters.at(0)).auth_token.reveal();
  };
  EXPECT_EQ(token("env:MY_TOKEN", environment({{"MY_TOKEN", "from-env"}})), "from-env");
  EXPECT_EQ(token("file:" + path, environment()), "from-file");
  EXPECT_EQ(token("itself", environment()), "itself");
  EXPECT_FALSE(read("[[adapters]]\nprovider = \"twilio\"\nauth_token = \"file:" + path + "\"\n").holds_secrets);
  EXPECT_TRUE(read(twilio_table).holds_secrets);
}

TEST(Secret, ThatIsMissingIsAnErrorThatNamesItsSource) {
  EXPECT_THAT(fault_of("[[adapters]]\nprovider = \"telnyx\"\napi_key = \"env:NOT_SET\"\n"),
              AllOf(HasSubstr("api_key"), HasSubstr("NOT_SET"), HasSubstr("not set")));
  EXPECT_THAT(fault_of("[[adapters]]\nprovider = \"telnyx\"\napi_key = \"file:/does/not/exist\"\n"),
              HasSubstr("cannot be read"));
  EXPECT_THAT(fault_of("[[adapters]]\nprovider = \"telnyx\"\napi_key = \"file:/tmp\"\n"), HasSubstr("cannot be read"));
}

TEST(Environment, MakesAdaptersWhereNoFileHasAny) {
  Config config;
  complete_adapters(config, environment({{"TWILIO_ACCOUNT_SID", "AC1"},
                                         {"TWILIO_AUTH_TOKEN", "t"},
                                         {"TWILIO_FROM", "+15550100001"},
                                         {"TELNYX_API_KEY", "k"},
                                         {"TELNYX_FROM", "sender:Bank"},
                                         {"TELNYX_MESSAGING_PROFILE_ID", "p"}}));
  ASSERT_EQ(config.adapters.size(), 2U);
  const auto& twilio = std::get<TwilioOptions>(config.adapters[0]);
  EXPECT_EQ(twilio.account_sid, "AC1");
  EXPECT_EQ(twilio.auth_token.reveal(), "t");
  EXPECT_EQ(twilio.from, From(std::string("+15550100001")));
  const auto& telnyx = std::get<TelnyxOptions>(config.adapters[1]);
  EXPECT_EQ(telnyx.api_key.reveal(), "k");
  EXPECT_EQ(telnyx.from, From(SenderId{"Bank"}));
  EXPECT_EQ(telnyx.messaging_profile_id, "p");
}

TEST(Environment, PrefersAnApiKeyAndASenderNumberToTheirAlternatives) {
  Config config;
  complete_adapters(config, environment({{"TWILIO_ACCOUNT_SID", "AC1"},
                                         {"TWILIO_AUTH_TOKEN", "t"},
                                         {"TWILIO_API_KEY_SID", "SK1"},
                                         {"TWILIO_API_KEY_SECRET", "s"},
                                         {"TWILIO_MESSAGING_SERVICE_SID", "MG1"}}));
  const auto& twilio = std::get<TwilioOptions>(config.adapters.at(0));
  EXPECT_TRUE(twilio.auth_token.empty());
  EXPECT_EQ(twilio.api_key_secret.reveal(), "s");
  EXPECT_EQ(twilio.from, From(MessagingService{"MG1"}));
}

TEST(Environment, NeverMixesItsCredentialsWithThoseOfAFile) {
  Config config = read(twilio_table);
  complete_adapters(config, environment({{"TWILIO_ACCOUNT_SID", "AC9"},
                                         {"TWILIO_API_KEY_SID", "SK9"},
                                         {"TWILIO_API_KEY_SECRET", "s"},
                                         {"TWILIO_FROM", "+15550109999"},
                                         {"TELNYX_API_KEY", "k"}}));
  ASSERT_EQ(config.adapters.size(), 1U);
  const auto& twilio = std::get<TwilioOptions>(config.adapters[0]);
  EXPECT_EQ(twilio.account_sid, "AC00000000000000000000000000000001");
  EXPECT_EQ(twilio.auth_token.reveal(), "made-up-token");
  EXPECT_TRUE(twilio.api_key_sid.empty());
  EXPECT_EQ(twilio.from, From(std::string("+15550100001")));
}

TEST(Environment, CompletesAnAdapterOfAFileThatNamesNoCredentials) {
  Config config = read("[[adapters]]\nprovider = \"telnyx\"\nname = \"main\"\n");
  complete_adapters(config, environment({{"TELNYX_API_KEY", "k"}, {"TWILIO_ACCOUNT_SID", "AC1"}}));
  ASSERT_EQ(config.adapters.size(), 1U);
  EXPECT_EQ(std::get<TelnyxOptions>(config.adapters[0]).api_key.reveal(), "k");
}

TEST(Precedence, IsCommandLineThenFileThenEnvironment) {
  const std::string path = testing::TempDir() + "cli_precedence.toml";
  std::ofstream(path) << "[store]\nurl = \"sqlite:/file.db\"\n";
  const Environment variables = environment({{"SMS_SDK_STORE", "sqlite:/environment.db"}});
  EXPECT_EQ(load_config({path, "sqlite:/option.db"}, variables).store_url, "sqlite:/option.db");
  EXPECT_EQ(load_config({path, {}}, variables).store_url, "sqlite:/file.db");
  std::ofstream(path) << "";
  EXPECT_EQ(load_config({path, {}}, variables).store_url, "sqlite:/environment.db");
}

TEST(LoadConfig, RefusesAFileThatWasNamedAndCannotBeRead) {
  EXPECT_THROW(load_config({"/does/not/exist.toml", {}}, environment()), ConfigurationError);
  EXPECT_THROW(load_config({"/tmp", {}}, environment()), ConfigurationError);
}

TEST(LoadConfig, NeedsNoCredentialsForLookingAfterKeys) {
  const std::string path = testing::TempDir() + "cli_keys_only.toml";
  std::ofstream(path)
      << "[store]\nurl = \"sqlite:/k.db\"\n[[adapters]]\nprovider = \"telnyx\"\napi_key = \"env:NOT_SET\"\n";
  EXPECT_THROW(load_config({path, {}}, environment()), ConfigurationError);
  EXPECT_EQ(load_config({path, {}, false}, environment()).store_url, "sqlite:/k.db");
}

TEST(ClientOptions, AreMadeFromTheConfiguration) {
  Config config = read(twilio_table + "[client]\ntimeout = \"7s\"\nttl = \"3d\"\n");
  const ClientOptions options = make_client_options(config, nullptr);
  ASSERT_EQ(options.adapters.size(), 1U);
  EXPECT_EQ(options.adapters[0]->info().name, "twilio");
  EXPECT_EQ(options.timeout, 7s);
  EXPECT_FALSE(options.idempotency);
}

TEST(ClientOptions, WithoutAnyProviderSayHowToConfigureOne) {
  try {
    make_client_options({}, nullptr);
    FAIL();
  } catch (const ConfigurationError& error) {
    EXPECT_THAT(error.what(), HasSubstr("TWILIO_ACCOUNT_SID"));
  }
}

}  // namespace
}  // namespace sms::cli
