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
#include <string>

namespace sms {

namespace {

std::shared_ptr<IdempotencyStore> open_sqlite(std::string_view path) {
  if (path.starts_with("//")) path.remove_prefix(2);
  if (path.empty()) throw ConfigurationError("store url names no file");
  SqliteOptions options;
  options.path = std::string(path);
  return sqlite_idempotency_store(std::move(options));
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

}  // namespace

std::shared_ptr<IdempotencyStore> open_store(std::string_view url) {
  const std::size_t colon = url.find(':');
  const std::string_view scheme = url.substr(0, colon == std::string_view::npos ? 0 : colon);
  if (!is_scheme(scheme)) return open_sqlite(url);
  const std::string_view rest = url.substr(colon + 1);
  if (scheme == "sqlite") {
    if (rest.starts_with("//") && !rest.starts_with("///")) {
      throw ConfigurationError("store url: sqlite:// takes an absolute path, as in sqlite:///var/lib/app/keys.db");
    }
    return open_sqlite(rest);
  }
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

}  // namespace sms
