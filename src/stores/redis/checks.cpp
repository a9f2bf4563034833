#include "stores/redis/checks.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace sms::detail {
namespace {

using Level = StoreFinding::Level;

/// A line `name:value` of INFO.
std::string field(std::string_view info, std::string_view name) {
  const std::string start = "\r\n" + std::string(name) + ":";
  const std::size_t at = info.find(start);
  if (at == std::string_view::npos) return {};
  const auto rest = info.substr(at + start.size());
  return std::string(rest.substr(0, rest.find('\r')));
}

std::uint64_t number(std::string_view text) {
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::optional<std::string> config_value(const RespValue& answer) {
  return answer.items.size() == 2 ? answer.items[1].text_if() : std::nullopt;
}

bool is_at_least(std::string_view version, std::uint64_t major, std::uint64_t minor) {
  const std::size_t dot = version.find('.');
  const auto found = number(version.substr(0, dot));
  if (found != major) return found > major;
  return dot != std::string_view::npos && number(version.substr(dot + 1)) >= minor;
}

StoreFinding eviction(const RedisFacts& facts, const RedisOptions& options) {
  if (facts.max_memory == 0 || facts.eviction_policy == "noeviction") {
    return {Level::fine, "eviction", "The server evicts no keys."};
  }
  const auto text = "The server may evict keys (maxmemory-policy " + facts.eviction_policy +
                    "), and an evicted key is sent again; set it to noeviction.";
  return {options.allow.eviction ? Level::warning : Level::problem, "eviction", text};
}

StoreFinding durability(const RedisFacts& facts, const RedisOptions& options) {
  if (facts.append_only && facts.flush_policy == "always") {
    return {Level::fine, "durability", "Every write is flushed to disk before it is answered."};
  }
  const Level level = options.allow.no_persistence ? Level::fine : Level::warning;
  if (!facts.append_only) {
    return {level, "durability", "appendonly is off: a restart forgets what it had not saved, and it is sent again."};
  }
  if (!facts.flush_policy) {
    return {level, "durability", "Not verified, CONFIG is forbidden: appendfsync should be always."};
  }
  return {level, "durability",
          "appendfsync is " + *facts.flush_policy + ": a crash of the machine may lose the last writes."};
}

StoreFinding failover(const RedisFacts& facts, const RedisOptions& options) {
  if (!facts.min_replicas) {
    return {Level::warning, "failover", "Not verified, CONFIG is forbidden: see min-replicas-to-write."};
  }
  const std::string settings = "min-replicas-to-write is " + std::to_string(*facts.min_replicas) +
                               ", wait_replicas is " + std::to_string(options.wait_replicas);
  if (*facts.min_replicas > 0 && options.wait_replicas > 0) return {Level::fine, "failover", settings + "."};
  return {Level::warning, "failover", settings + ": a failover to a replica can lose claims that were answered."};
}

}  // namespace

std::vector<RedisCommand> opening_commands(const RedisOptions& options) {
  std::vector<RedisCommand> commands;
  if (!options.password.empty()) {
    RedisCommand login{"AUTH"};
    if (!options.user.empty()) login.push_back(options.user);
    login.push_back(options.password.reveal());
    commands.push_back(std::move(login));
  }
  if (options.database != 0) commands.push_back({"SELECT", std::to_string(options.database)});
  commands.push_back({"INFO"});
  commands.push_back({"CONFIG", "GET", "appendfsync"});
  commands.push_back({"CONFIG", "GET", "min-replicas-to-write"});
  commands.push_back({"CLUSTER", "SLOTS"});
  commands.push_back({"TIME"});
  return commands;
}

RedisFacts read_opening(const RedisOptions& options, std::span<const RespValue> answers) {
  std::size_t next = 0;
  const auto require = [&](const char* what) {
    const auto& answer = answers[next++];
    if (answer.is_error()) {
      if (answer.error_word() == "LOADING") throw RedisLinkFailure("the server is still loading");
      throw RedisRefusal(std::string("the server refuses ") + what + ": " + std::string(answer.error_word()));
    }
  };
  if (!options.password.empty()) require("the login (AUTH)");
  if (options.database != 0) require("the database (SELECT)");
  const auto& info = answers[next];
  require("INFO");
  RedisFacts facts;
  facts.version = field(info.text, "redis_version");
  facts.role = field(info.text, "role");
  facts.cluster = field(info.text, "cluster_enabled") == "1";
  facts.max_memory = number(field(info.text, "maxmemory"));
  facts.eviction_policy = field(info.text, "maxmemory_policy");
  facts.append_only = field(info.text, "aof_enabled") == "1";
  facts.flush_policy = config_value(answers[next++]);
  if (const auto least = config_value(answers[next++])) facts.min_replicas = static_cast<int>(number(*least));
  if (facts.cluster) facts.slots = answers[next].items;
  const auto& time = answers[++next].items;
  if (time.size() != 2) throw RedisRefusal("the server refuses TIME");
  constexpr std::uint64_t thousand = 1000;
  facts.now_ms = static_cast<std::int64_t>(number(time[0].text) * thousand + number(time[1].text) / thousand);
  if (facts.version.empty() || facts.role.empty()) throw RedisLinkFailure("INFO does not say what the server is");
  return facts;
}

std::vector<StoreFinding> judge(const RedisFacts& facts, const RedisOptions& options) {
  std::vector<StoreFinding> findings;
  if (facts.role == "master") {
    findings.push_back({Level::fine, "role", "The server is a primary."});
  } else {
    findings.push_back({Level::problem, "role", "The server is a replica; the store needs the primary."});
  }
  const bool recent = is_at_least(facts.version, 6, 2);
  const Level old = options.allow.old_version ? Level::warning : Level::problem;
  findings.push_back({recent ? Level::fine : old, "version",
                      recent ? "The server says version " + facts.version + "."
                             : "The server says version " + facts.version + "; the store needs 6.2."});
  findings.push_back(eviction(facts, options));
  findings.push_back(durability(facts, options));
  findings.push_back(failover(facts, options));
  if (facts.cluster) {
    findings.push_back({Level::warning, "cluster",
                        "Only the shard that keeps the store's own hash is watched for writes that were lost."});
    if (options.database != 0) {
      findings.push_back({Level::problem, "cluster", "A cluster has no database but 0."});
    }
  }
  return findings;
}

void refuse_problems(const RedisFacts& facts, const RedisOptions& options) {
  for (const auto& finding : judge(facts, options)) {
    if (finding.level == Level::problem) throw RedisRefusal(finding.text);
  }
}

}  // namespace sms::detail
