#include <sms/operator_tools.hpp>
#include <sms/store_maintenance.hpp>
#include <sms/stores/open.hpp>

#include "client_options.hpp"
#include "commands.hpp"
#include "core/json_text.hpp"
#include "duration.hpp"
#include "key_store.hpp"
#include "sending.hpp"
#include "usage_error.hpp"

namespace sms::cli {

namespace {

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
  const Config config = load_store_config(session);
  if (arguments.print) {
    session.console.out << store_migration(*config.store_url);
    return ExitCode::done;
  }
  const auto store = open_configured_store(config);
  if (store->maintenance() == nullptr || store->maintenance()->migration().empty()) {
    report_done(session, "Nothing to make: this store keeps no tables.", false);
    return ExitCode::done;
  }
  store->maintenance()->migrate();
  report_done(session, "Done: tables and indexes are those of this version.", true);
  return ExitCode::done;
}

ExitCode run_command(const Session& session, const KeysAcknowledgeArguments& arguments) {
  const auto store = open_configured_store(load_store_config(session));
  StoreMaintenance* maintenance = store->maintenance();
  if (maintenance == nullptr) throw UsageError("this store cannot have been restored");
  const std::string question =
      "Serve again from this store, though claims may be missing, so that keys sent since the backup text again?";
  if (confirm(session.console, question, arguments.yes) == Consent::refused) {
    session.console.err << "sms-sdk: nothing was changed\n";
    return ExitCode::refused;
  }
  maintenance->acknowledge_restore({acting_user(arguments.who), arguments.why});
  report_done(session, "Done.", true);
  return ExitCode::done;
}

ExitCode run_command(const Session& session, const KeysWatchArguments& arguments) {
  WatchLimits limits;
  limits.max_open = arguments.max_unknown;
  limits.max_stale = arguments.max_stale;
  if (arguments.max_age) limits.max_age = duration_option("--max-age", *arguments.max_age);
  const KeyStore store = open_key_store(session);
  const WatchReport report = watch(store.operators, limits, wall_now());
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
