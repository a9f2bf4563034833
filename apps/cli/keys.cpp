#include <sms/error.hpp>
#include <sms/operator_tools.hpp>

#include "commands.hpp"
#include "interrupt.hpp"
#include "key_store.hpp"
#include "keys_bulk.hpp"
#include "keys_report.hpp"
#include "sending.hpp"
#include "usage_error.hpp"

namespace sms::cli {

namespace {

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
ExitCode change_key(const Session& session, const KeyStore& keys, const ChangeArguments& arguments,
                    const std::string& question, Change change) {
  const std::optional<KeyView> view = keys.operators.show(arguments.key, wall_now());
  if (!view) return not_found(session);
  const std::string token = arguments.expect.value_or(view->token);
  OperatorResult result = OperatorResult::changed;
  if (token == view->token) {
    print_key(session.console.err, *view, keys.config.settle);
    if (confirm(session.console, question, arguments.yes) == Consent::refused) {
      session.console.err << "sms-sdk: nothing was changed\n";
      return ExitCode::refused;
    }
    result = change(token, OperatorNote{acting_user(arguments.who), arguments.why});
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
  request.now = wall_now();
  const KeyStore store = open_key_store(session);
  report_keys(session.console, store.operators.list(request), store.config.settle, session.common.json);
  return ExitCode::done;
}

ExitCode run_command(const Session& session, const KeysShowArguments& arguments) {
  const KeyStore store = open_key_store(session);
  const std::optional<KeyView> view = store.operators.show(arguments.key, wall_now());
  if (!view) return not_found(session);
  report_key(session.console, *view, store.config.settle, session.common.json);
  return ExitCode::done;
}

ExitCode run_command(const Session& session, const KeysResolveArguments& arguments) {
  if (arguments.from_csv) return settle_from_file(session, arguments);
  if (arguments.dry_run) throw UsageError("--dry-run is for --from-csv");
  if (arguments.change.key.empty()) throw UsageError("which key? KEY, or --from-csv FILE for many");
  if (arguments.provider.empty() || arguments.provider_id.empty()) {
    throw UsageError("--accepted PROVIDER PROVIDER_ID is needed: who accepted it, and under which message ID");
  }
  const KeyStore store = open_key_store(session);
  const std::string question =
      "Settle this key as accepted by " + arguments.provider + " as " + arguments.provider_id + "?";
  return change_key(session, store, arguments.change, question, [&](const std::string& token, OperatorNote note) {
    return store.operators.resolve({.key = arguments.change.key,
                                    .token = token,
                                    .provider = arguments.provider,
                                    .provider_id = arguments.provider_id,
                                    .note = std::move(note),
                                    .ttl = store.config.idempotency.ttl,
                                    .now = wall_now()});
  });
}

ExitCode run_command(const Session& session, const KeysReleaseArguments& arguments) {
  const KeyStore store = open_key_store(session);
  const std::string question = std::string("Free this key, so that the next send texts the person? ") +
                               (arguments.force ? "With --force a message may be under way right now." : "");
  return change_key(session, store, arguments.change, question, [&](const std::string& token, OperatorNote note) {
    return store.operators.release({.key = arguments.change.key,
                                    .token = token,
                                    .note = std::move(note),
                                    .settle = store.config.settle,
                                    .force = arguments.force,
                                    .now = wall_now()});
  });
}

ExitCode run_command(const Session& session, const KeysPurgeArguments& arguments) {
  const Interrupt interrupt([&] { session.console.err << "\nsms-sdk: stopping; once more ends at once\n"; });
  const KeyStore store = open_key_store(session);
  PurgeOptions options;
  options.stop = interrupt.token();
  options.limit = arguments.limit;
  options.now = wall_now();
  const std::size_t purged = purge_all(store.operators, options);
  report_purged(session.console, purged, session.common.json);
  return ExitCode::done;
}

ExitCode run_command(const Session& session, const KeysStatsArguments&) {
  const KeyStore store = open_key_store(session);
  report_stats(session.console, store.operators.stats(wall_now()), store.store->identity(), wall_now(),
               session.common.json);
  return ExitCode::done;
}

ExitCode run_command(const Session& session, const KeysAuditArguments& arguments) {
  const KeyStore store = open_key_store(session);
  report_audit(session.console, store.operators.audit(arguments.limit, arguments.key), session.common.json);
  return ExitCode::done;
}

}  // namespace sms::cli
