#include <sms/error.hpp>
#include <sms/operator_tools.hpp>
#include <sms/store_maintenance.hpp>

#include "client_options.hpp"
#include "commands.hpp"
#include "core/json_text.hpp"
#include "duration.hpp"
#include "sending.hpp"
#include "usage_error.hpp"

#include <unistd.h>

namespace sms::cli {

namespace {

/// Without a check of its identity: a store that was not made yet has none.
std::shared_ptr<IdempotencyStore> open_store_of(const Session& session, std::string* expected = nullptr) {
  const Config config = load_config({session.common.config, session.common.store, false}, session.environment);
  auto store = open_configured_store(config);
  if (!store) throw UsageError("which store? --store sqlite:PATH, [store] url in sms-sdk.toml, or SMS_SDK_STORE");
  if (expected != nullptr) *expected = config.idempotency.expect_store;
  return store;
}

void report_done(const Session& session, std::string_view text, bool done) {
  if (session.common.json) {
    session.console.out << (done ? "{\"done\":true}\n" : "{\"done\":false}\n");
  } else {
    session.console.out << text << '\n';
  }
}

std::int64_t number(std::uint64_t count) { return static_cast<std::int64_t>(count); }

void print_json(std::ostream& out, const WatchReport& report) {
  std::string text;
  detail::JsonWriter writer(text);
  writer.begin_object().key("withinLimits").boolean(report.within_limits());
  writer.key("open").number(number(report.open)).key("unknown").number(number(report.stats.unknown));
  writer.key("stale").number(number(report.stats.stale)).key("reserved").number(number(report.stats.reserved));
  writer.key("oldestOpenMs").number(std::int64_t{report.oldest_open.count()});
  writer.key("exceeded").begin_array();
  if (report.open_exceeded) writer.string("max-unknown");
  if (report.stale_exceeded) writer.string("max-stale");
  if (report.age_exceeded) writer.string("max-age");
  writer.end_array().end_object();
  out << text << '\n';
}

/// The text format that Prometheus reads: https://prometheus.io/docs/instrumenting/exposition_formats/
void print_prometheus(std::ostream& out, const WatchReport& report) {
  const StoreStats& stats = report.stats;
  out << "# HELP sms_sdk_keys Idempotency keys by state.\n# TYPE sms_sdk_keys gauge\n"
      << "sms_sdk_keys{state=\"reserved\"} " << stats.reserved << "\nsms_sdk_keys{state=\"stale\"} " << stats.stale
      << "\nsms_sdk_keys{state=\"accepted\"} " << stats.accepted << "\nsms_sdk_keys{state=\"rejected\"} "
      << stats.rejected << "\nsms_sdk_keys{state=\"unknown\"} " << stats.unknown << "\nsms_sdk_keys{state=\"expired\"} "
      << stats.expired << "\n# HELP sms_sdk_oldest_open_seconds Age of the oldest key that needs somebody.\n"
      << "# TYPE sms_sdk_oldest_open_seconds gauge\nsms_sdk_oldest_open_seconds "
      << std::chrono::floor<std::chrono::seconds>(report.oldest_open).count() << '\n';
}

void print_line(std::ostream& out, const WatchReport& report) {
  out << (report.within_limits() ? "ok" : "exceeded") << ": " << report.open << " keys need somebody (unknown "
      << report.stats.unknown << ", stale " << report.stats.stale << ')';
  if (report.open > 0) out << ", the oldest for " << format_age(report.oldest_open);
  out << '\n';
}

}  // namespace

ExitCode run_command(const Session& session, const KeysMigrateArguments& arguments) {
  const auto store = open_store_of(session);
  StoreMaintenance* maintenance = store->maintenance();
  if (maintenance == nullptr) {
    report_done(session, arguments.print ? "" : "Nothing to make: this store keeps no tables.", false);
    return ExitCode::done;
  }
  if (arguments.print) {
    session.console.out << maintenance->migration();
    return ExitCode::done;
  }
  maintenance->migrate();
  report_done(session, "Done: tables and indexes are those of this version.", true);
  return ExitCode::done;
}

ExitCode run_command(const Session& session, const KeysAcknowledgeArguments& arguments) {
  const auto store = open_store_of(session);
  StoreMaintenance* maintenance = store->maintenance();
  if (maintenance == nullptr) throw UsageError("this store cannot have been restored");
  const std::string question =
      "Serve again from this store, though claims may be missing, so that keys sent since the backup text again?";
  if (confirm(session.console, question, arguments.yes) == Consent::refused) {
    session.console.err << "sms-sdk: nothing was changed\n";
    return ExitCode::refused;
  }
  maintenance->acknowledge_restore({arguments.who.value_or("uid " + std::to_string(::getuid())), arguments.why});
  report_done(session, "Done.", true);
  return ExitCode::done;
}

ExitCode run_command(const Session& session, const KeysWatchArguments& arguments) {
  WatchLimits limits;
  limits.max_open = arguments.max_unknown;
  limits.max_stale = arguments.max_stale;
  if (arguments.max_age) limits.max_age = duration_option("--max-age", *arguments.max_age);
  std::string expected;
  const auto store = open_store_of(session, &expected);
  OperatorStore* operators = store->operators();
  if (operators == nullptr) throw UsageError("this store keeps nothing that another program could look at");
  if (!expected.empty() && store->identity() != expected) {
    throw ConfigurationError("expect_store: this is another store");
  }
  const auto now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  const WatchReport report = watch(*operators, limits, now);
  if (session.common.json || arguments.format == "json") {
    print_json(session.console.out, report);
  } else if (arguments.format == "prometheus") {
    print_prometheus(session.console.out, report);
  } else {
    print_line(session.console.out, report);
  }
  return report.within_limits() ? ExitCode::done : ExitCode::check_failed;
}

}  // namespace sms::cli
