#include <sms/error.hpp>
#include <sms/operator_tools.hpp>

#include "client_options.hpp"
#include "commands.hpp"
#include "keys_report.hpp"
#include "sending.hpp"
#include "usage_error.hpp"

#include <pwd.h>
#include <unistd.h>

namespace sms::cli {

namespace {

/// The store with its configuration, for as long as a command looks at it.
struct OpenStore {
  Config config;
  std::shared_ptr<IdempotencyStore> store;
  OperatorStore& operators;
};

OpenStore open(const Session& session) {
  Config config = load_config({session.common.config, session.common.store, false}, session.environment);
  auto store = open_configured_store(config);
  if (!store) throw UsageError("which store? --store sqlite:PATH, [store] url in sms-sdk.toml, or SMS_SDK_STORE");
  OperatorStore* operators = store->operators();
  if (operators == nullptr) throw UsageError("this store keeps nothing that another program could look at");
  if (!config.idempotency.expect_store.empty() && store->identity() != config.idempotency.expect_store) {
    throw ConfigurationError("expect_store: this is another store");
  }
  return {std::move(config), std::move(store), *operators};
}

WallTime now() { return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now()); }

KeyFilter parse_filter(const std::string& word) {
  if (word == "all") return KeyFilter::all;
  if (word == "reserved") return KeyFilter::reserved;
  if (word == "accepted") return KeyFilter::accepted;
  if (word == "rejected") return KeyFilter::rejected;
  if (word == "unknown") return KeyFilter::unknown;
  return KeyFilter::open;
}

std::string user_name() {
  const passwd* entry = ::getpwuid(::getuid());
  return entry != nullptr ? entry->pw_name : "uid " + std::to_string(::getuid());
}

ExitCode exit_code_of(OperatorResult result) {
  switch (result) {
    case OperatorResult::done:
      return ExitCode::done;
    case OperatorResult::not_found:
      return ExitCode::not_found;
    case OperatorResult::changed:
    case OperatorResult::not_open:
    case OperatorResult::not_settled:
    case OperatorResult::id_in_use:
      return ExitCode::refused;
  }
  return ExitCode::refused;
}

ExitCode not_found(const Session& session) {
  report_operator_result(session.console, OperatorResult::not_found, session.common.json);
  return ExitCode::not_found;
}

/// Shows the record, asks, then lets `change` act on exactly that record. `change` gets its token.
template <class Change>
ExitCode change_key(const Session& session, const OpenStore& open, const ChangeArguments& arguments,
                    const std::string& question, Change change) {
  const std::optional<KeyView> view = open.operators.show(arguments.key, now());
  if (!view) return not_found(session);
  const std::string token = arguments.expect.value_or(view->token);
  OperatorResult result = OperatorResult::changed;
  if (token == view->token) {
    print_key(session.console.err, *view, open.config.settle);
    if (confirm(session.console, question, arguments.yes) == Consent::refused) {
      session.console.err << "sms-sdk: nothing was changed\n";
      return ExitCode::refused;
    }
    result = change(token, OperatorNote{arguments.who.value_or(user_name()), arguments.why});
  }
  report_operator_result(session.console, result, session.common.json);
  return exit_code_of(result);
}

}  // namespace

ExitCode run_command(const Session& session, const KeysListArguments& arguments) {
  ListRequest request;
  request.filter = parse_filter(arguments.filter);
  request.prefix = arguments.prefix;
  if (arguments.min_age) request.min_age = duration_option("--min-age", *arguments.min_age);
  request.limit = arguments.limit;
  request.cursor = arguments.cursor;
  request.now = now();
  const OpenStore store = open(session);
  report_keys(session.console, store.operators.list(request), store.config.settle, session.common.json);
  return ExitCode::done;
}

ExitCode run_command(const Session& session, const KeysShowArguments& arguments) {
  const OpenStore store = open(session);
  const std::optional<KeyView> view = store.operators.show(arguments.key, now());
  if (!view) return not_found(session);
  report_key(session.console, *view, store.config.settle, session.common.json);
  return ExitCode::done;
}

ExitCode run_command(const Session& session, const KeysResolveArguments& arguments) {
  const OpenStore store = open(session);
  const std::string question =
      "Settle this key as accepted by " + arguments.provider + " as " + arguments.provider_id + "?";
  return change_key(session, store, arguments.change, question, [&](const std::string& token, OperatorNote note) {
    return store.operators.resolve({.key = arguments.change.key,
                                    .token = token,
                                    .provider = arguments.provider,
                                    .provider_id = arguments.provider_id,
                                    .note = std::move(note),
                                    .ttl = store.config.idempotency.ttl,
                                    .now = now()});
  });
}

ExitCode run_command(const Session& session, const KeysReleaseArguments& arguments) {
  const OpenStore store = open(session);
  const std::string question = std::string("Free this key, so that the next send texts the person? ") +
                               (arguments.force ? "With --force a message may be under way right now." : "");
  return change_key(session, store, arguments.change, question, [&](const std::string& token, OperatorNote note) {
    return store.operators.release({.key = arguments.change.key,
                                    .token = token,
                                    .note = std::move(note),
                                    .settle = store.config.settle,
                                    .force = arguments.force,
                                    .now = now()});
  });
}

ExitCode run_command(const Session& session, const KeysPurgeArguments& arguments) {
  const OpenStore store = open(session);
  PurgeOptions options;
  options.limit = arguments.limit;
  options.now = now();
  const std::size_t purged = purge_all(store.operators, options);
  report_purged(session.console, purged, session.common.json);
  return ExitCode::done;
}

ExitCode run_command(const Session& session, const KeysStatsArguments&) {
  const OpenStore store = open(session);
  report_stats(session.console, store.operators.stats(now()), store.store->identity(), now(), session.common.json);
  return ExitCode::done;
}

ExitCode run_command(const Session& session, const KeysAuditArguments& arguments) {
  const OpenStore store = open(session);
  report_audit(session.console, store.operators.audit(arguments.limit, arguments.key), session.common.json);
  return ExitCode::done;
}

}  // namespace sms::cli
