#include <sms/copy_store.hpp>
#include <sms/stores/open.hpp>

#include "commands.hpp"
#include "core/json_text.hpp"
#include "interrupt.hpp"
#include "key_store.hpp"
#include "secret_source.hpp"
#include "store_url.hpp"
#include "usage_error.hpp"

#include <array>
#include <utility>

namespace sms::cli {

namespace {

using NamedCounts = std::pair<std::string_view, CopyReport::Counts>;

std::array<NamedCounts, 5> named_counts(const CopyReport& report) {
  return {NamedCounts{"reserved", report.reserved}, NamedCounts{"accepted", report.accepted},
          NamedCounts{"rejected", report.rejected}, NamedCounts{"unknown", report.unknown},
          NamedCounts{"total", report.total()}};
}

std::int64_t number(std::uint64_t count) { return static_cast<std::int64_t>(count); }

void print_json(std::ostream& out, const CopyReport& report, bool dry_run) {
  std::string text;
  detail::JsonWriter writer(text);
  writer.begin_object();
  if (dry_run) writer.key("dryRun").boolean(true);
  for (const auto& [name, counts] : named_counts(report)) {
    writer.key(name).begin_object().key("copied").number(number(counts.copied));
    writer.key("there").number(number(counts.there)).key("conflicts").number(number(counts.conflicts)).end_object();
  }
  writer.end_object();
  out << text << '\n';
}

void print_lines(std::ostream& out, const CopyReport& report, bool dry_run) {
  for (const auto& [name, counts] : named_counts(report)) {
    out << name << ": " << counts.copied << (dry_run ? " to copy, " : " copied, ") << counts.there << " there already, "
        << counts.conflicts << " conflicts\n";
  }
}

std::string url_of(const Session& session, std::string_view name, const std::string& text) {
  if (is_literal_secret(text)) refuse_password(name, text);
  auto url = read_secret(text, session.environment, ".");
  if (const auto* fault = std::get_if<std::string>(&url)) throw UsageError(std::string(name) + " " + *fault);
  return std::string(std::get<Secret>(url).reveal());
}

}  // namespace

ExitCode run_command(const Session& session, const KeysCopyArguments& arguments) {
  const std::string from_url = url_of(session, "FROM_URL", arguments.from);
  const std::string to_url = url_of(session, "TO_URL", arguments.to);
  const Interrupt interrupt([&] { session.console.err << "\nsms-sdk: stopping; once more ends at once\n"; });
  const auto from = open_store(from_url);
  const auto to = open_store(to_url);
  CopyOptions options;
  options.dry_run = arguments.dry_run;
  options.stop = interrupt.token();
  options.now = wall_now();
  options.on_conflict = [&](const std::string& key, RecordState there, RecordState here) {
    session.console.err << "conflict: " << key << " is " << to_string(there) << " in the source, and "
                        << (there == here ? "another record" : to_string(here)) << " in the target\n";
  };
  const CopyReport report = copy_store(*from, *to, options);
  const auto print = session.common.json ? print_json : print_lines;
  print(session.console.out, report, arguments.dry_run);
  if (report.total().conflicts > 0) return ExitCode::refused;
  return interrupt.token().stop_requested() ? ExitCode::aborted : ExitCode::done;
}

}  // namespace sms::cli
