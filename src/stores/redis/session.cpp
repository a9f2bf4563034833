#include "stores/redis/session.hpp"

#include <sms/error.hpp>

#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

namespace sms::detail {
namespace {

using std::chrono::milliseconds;

constexpr const char* scan_step = "1000";

}  // namespace

RedisSession::RedisSession(std::shared_ptr<RedisShared> shared, const char* operation, bool any_store)
    : shared_(std::move(shared)), operation_(operation) {
  try {
    facts_ = look();
    refuse_problems(facts_, shared_->options);
    if (const auto lost = join(any_store)) fail(*lost);
  } catch (const RedisLinkFailure& failure) {
    fail(failure.what());
  }
}

std::vector<StoreFinding> RedisSession::examine(const std::shared_ptr<RedisShared>& shared) {
  RedisSession session(shared);
  std::vector<StoreFinding> findings;
  const auto add = [&](const std::string& text) {
    findings.push_back({StoreFinding::Level::problem, "server", text + "."});
  };
  try {
    session.facts_ = session.look();
    findings = judge(session.facts_, shared->options);
    if (const auto lost = session.join(false)) add(*lost);
  } catch (const RedisLinkFailure& failure) {
    add(failure.what());
  } catch (const StoreUnavailableError& error) {
    add(error.what());
  }
  return findings;
}

RedisFacts RedisSession::look() {
  const auto& options = shared_->options;
  return read_opening(options, exchange(link({options.host, options.port}), opening_commands(options)));
}

std::optional<std::string> RedisSession::join(bool any_store) {
  const auto joined = execute(shared_->names.store(), {shared_->memory.join_command()}).front();
  if (joined.is_error()) fail("the server refuses the store's scripts: " + std::string(joined.error_word()));
  return any_store ? std::nullopt : shared_->memory.check(joined);
}

RedisSession::~RedisSession() = default;

std::vector<RespValue> RedisSession::execute(const std::string& name, const std::vector<RedisCommand>& commands) {
  return exchange(link_of(name), commands);
}

RespValue RedisSession::run(const RedisScript& script, const std::vector<std::string>& keys,
                            const std::vector<std::string>& arguments, const std::string& nonce) {
  RedisCommand command{"EVAL", script.text, std::to_string(keys.size())};
  command.insert(command.end(), keys.begin(), keys.end());
  command.push_back(nonce);
  command.emplace_back();
  command.insert(command.end(), arguments.begin(), arguments.end());
  auto answer = execute(keys.front(), {command}).front();
  if (answer.error_word() == "SMSROW") fail("the stored record of this key cannot be read");
  if (answer.is_error()) fail("the server refuses: " + std::string(answer.error_word()));
  if (answer.items.size() < 4 || answer.items[0].text != keys.front() || answer.items[1].text != nonce) {
    fail("an answer belongs to another question");
  }
  return answer;
}

void RedisSession::scan(const std::string& pattern, const std::function<void(std::vector<std::string>)>& found) {
  std::set<std::string> seen;
  for (const auto& primary : primaries()) {
    std::string cursor = "0";
    do {
      auto answer = exchange(link(primary), {{"SCAN", cursor, "MATCH", pattern, "COUNT", scan_step}}).front();
      if (answer.items.size() != 2) fail("SCAN is refused: " + std::string(answer.error_word()));
      cursor = answer.items[0].text;
      std::vector<std::string> names;
      for (auto& name : answer.items[1].items) {
        if (seen.insert(name.text).second) names.push_back(std::move(name.text));
      }
      if (!names.empty()) found(std::move(names));
    } while (cursor != "0");
  }
}

WallTime RedisSession::now() {
  const auto answer = execute(shared_->names.store(), {{"TIME"}}).front();
  if (answer.items.size() != 2) fail("TIME is refused: " + std::string(answer.error_word()));
  std::int64_t seconds = 0;
  std::int64_t micros = 0;
  const auto read = [](const std::string& text, std::int64_t& to) {
    std::from_chars(text.data(), text.data() + text.size(), to);
  };
  read(answer.items[0].text, seconds);
  read(answer.items[1].text, micros);
  return WallTime(milliseconds(seconds * 1000 + micros / 1000));
}

RedisSession::Link& RedisSession::link(const RedisEndpoint& endpoint) {
  auto& found = links_[endpoint];
  if (found) return *found;
  found.reset(new Link{{endpoint, shared_->tls_if(), 0}});
  // The first link learns from the answers; the others only have to be let in.
  if (links_.size() > 1) exchange(*found, opening_commands(shared_->options));
  return *found;
}

RedisSession::Link& RedisSession::link_of(const std::string& name) {
  if (!facts_.cluster) return link({shared_->options.host, shared_->options.port});
  const auto slot = redis_slot(name);
  for (const auto& range : facts_.slots) {
    if (range.items.size() < 3 || range.items[2].items.size() < 2) continue;
    if (slot < range.items[0].integer || slot > range.items[1].integer) continue;
    const auto& primary = range.items[2].items;
    return link({primary[0].text.empty() ? shared_->options.host : primary[0].text,
                 static_cast<std::uint16_t>(primary[1].integer)});
  }
  fail("the cluster has no server for this key");
}

std::vector<RedisEndpoint> RedisSession::primaries() const {
  if (!facts_.cluster) return {{shared_->options.host, shared_->options.port}};
  std::set<RedisEndpoint> found;
  for (const auto& range : facts_.slots) {
    if (range.items.size() < 3 || range.items[2].items.size() < 2) continue;
    const auto& primary = range.items[2].items;
    found.insert({primary[0].text.empty() ? shared_->options.host : primary[0].text,
                  static_cast<std::uint16_t>(primary[1].integer)});
  }
  return {found.begin(), found.end()};
}

std::vector<RespValue> RedisSession::exchange(Link& link, const std::vector<RedisCommand>& commands) {
  const auto until = BootClock::now() + shared_->options.operation_timeout;
  std::vector<RespValue> answers;
  try {
    for (const auto& command : commands) append_command(link.connection.outbox(), command);
    link.connection.flush();
    while (answers.size() < commands.size()) {
      if (auto answer = link.connection.next()) {
        answers.push_back(*std::move(answer));
        continue;
      }
      const auto left = std::chrono::ceil<milliseconds>(until - BootClock::now()).count();
      if (left <= 0) fail("the server did not answer in time");
      auto wanted = link.connection.wanted();
      if (poll(&wanted, 1, static_cast<int>(left)) > 0) link.connection.proceed();
    }
  } catch (const RedisLinkFailure& failure) {
    fail(failure.what());
  }
  return answers;
}

void RedisSession::fail(const std::string& reason) const { throw StoreUnavailableError(operation_, reason); }

}  // namespace sms::detail
