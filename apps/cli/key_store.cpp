#include "key_store.hpp"

#include <sms/error.hpp>

#include "client_options.hpp"
#include "usage_error.hpp"

#include <pwd.h>
#include <unistd.h>

#include <chrono>
#include <utility>

namespace sms::cli {

KeyStore open_key_store(const Session& session) {
  Config config = load_store_config(session);
  auto store = open_configured_store(config);
  OperatorStore* operators = store->operators();
  if (operators == nullptr) throw UsageError("this store keeps nothing that another program could look at");
  if (!config.idempotency.expect_store.empty() && store->identity() != config.idempotency.expect_store) {
    throw ConfigurationError("expect_store: this is another store");
  }
  return {std::move(config), std::move(store), *operators};
}

Config load_store_config(const Session& session) {
  Config config = load_config({session.common.config, session.common.store, false}, session.environment);
  if (!config.store_url) {
    throw UsageError("which store? --store sqlite:PATH, [store] url in sms-sdk.toml, or SMS_SDK_STORE");
  }
  return config;
}

WallTime wall_now() { return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now()); }

KeyFilter parse_filter(const std::string& word) {
  if (word == "all") return KeyFilter::all;
  if (word == "reserved") return KeyFilter::reserved;
  if (word == "accepted") return KeyFilter::accepted;
  if (word == "rejected") return KeyFilter::rejected;
  if (word == "unknown") return KeyFilter::unknown;
  return KeyFilter::open;
}

std::string acting_user(const std::optional<std::string>& who) {
  if (who) return *who;
  const passwd* entry = ::getpwuid(::getuid());
  return entry != nullptr ? entry->pw_name : "uid " + std::to_string(::getuid());
}

}  // namespace sms::cli
