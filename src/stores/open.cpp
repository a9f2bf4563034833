#include <sms/store_maintenance.hpp>
#include <sms/stores/memory.hpp>
#include <sms/stores/open.hpp>
#include <sms/stores/sqlite.hpp>
#ifdef SMS_HAS_DYNAMODB
#include <sms/stores/dynamodb.hpp>
#endif
#ifdef SMS_HAS_POSTGRES
#include <sms/stores/postgres.hpp>
#endif
#ifdef SMS_HAS_REDIS
#include <sms/stores/redis.hpp>
#endif

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace sms {

namespace {

SqliteOptions sqlite_options(std::string_view path) {
  if (path.starts_with("//")) path.remove_prefix(2);
  if (path.empty()) throw ConfigurationError("store url names no file");
  SqliteOptions options;
  options.path = std::string(path);
  return options;
}

constexpr std::string_view known_urls =
    "sqlite:PATH"
#ifdef SMS_HAS_POSTGRES
    ", postgres://HOST/DATABASE"
#endif
#ifdef SMS_HAS_REDIS
    ", redis://HOST, rediss://HOST"
#endif
#ifdef SMS_HAS_DYNAMODB
    ", dynamodb://TABLE"
#endif
    " and memory:";

bool is_scheme(std::string_view text) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
  };
  return !text.empty() && text.front() >= 'a' && text.front() <= 'z' && std::all_of(text.begin(), text.end(), allowed);
}

struct StoreUrl {
  std::string_view scheme;  ///< Empty: a plain path.
  std::string_view rest;
};

StoreUrl split(std::string_view url) {
  const std::size_t colon = url.find(':');
  const std::string_view scheme = url.substr(0, colon == std::string_view::npos ? 0 : colon);
  return is_scheme(scheme) ? StoreUrl{scheme, url.substr(colon + 1)} : StoreUrl{{}, url};
}

/// Absent: not of a SQLite file.
std::optional<SqliteOptions> sqlite_options(const StoreUrl& url) {
  if (url.scheme.empty()) return sqlite_options(url.rest);
  if (url.scheme != "sqlite") return std::nullopt;
  if (url.rest.starts_with("//") && !url.rest.starts_with("///")) {
    throw ConfigurationError("store url: sqlite:// takes an absolute path, as in sqlite:///var/lib/app/keys.db");
  }
  return sqlite_options(url.rest);
}

}  // namespace

std::shared_ptr<IdempotencyStore> open_store(std::string_view url) {
  const StoreUrl parts = split(url);
  if (auto options = sqlite_options(parts)) return sqlite_idempotency_store(*std::move(options));
  const auto [scheme, rest] = parts;
  if (scheme == "memory" && (rest.empty() || rest == "//")) return memory_idempotency_store();
#ifdef SMS_HAS_POSTGRES
  if (scheme == "postgres" || scheme == "postgresql") return postgres_idempotency_store(postgres_options(url));
#endif
#ifdef SMS_HAS_REDIS
  if (scheme == "redis" || scheme == "rediss") return redis_idempotency_store(redis_options(url));
#endif
#ifdef SMS_HAS_DYNAMODB
  if (scheme == "dynamodb") return dynamodb_idempotency_store(dynamodb_options(url));
#endif
  throw ConfigurationError("store url: this build has no store for " + std::string(scheme) + ":; it has " +
                           std::string(known_urls));
}

std::string store_migration(std::string_view url) {
  if (sqlite_options(split(url))) return sqlite_migration();
  const auto store = open_store(url);  // The others connect only when they are used.
  const StoreMaintenance* maintenance = store->maintenance();
  return maintenance == nullptr ? std::string() : maintenance->migration();
}

}  // namespace sms
