#include "keys_bulk.hpp"

#include <sms/bulk_settle.hpp>

#include "core/json_text.hpp"
#include "interrupt.hpp"
#include "key_store.hpp"
#include "keys_report.hpp"
#include "settlement_file.hpp"
#include "usage_error.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>

namespace sms::cli {

namespace {

using Status = SettlementReport::Status;

std::string read_file(const Session& session, const std::string& path) {
  if (path == "-") return {std::istreambuf_iterator<char>(session.console.in), {}};
  std::ifstream file(path, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(file), {});
  if (!file.is_open() || file.bad()) throw UsageError("--from-csv " + path + " cannot be read");
  return text;
}

/// The file with all its faults; an open question is asked by its caller.
SettlementFile read_checked(const Session& session, const KeysResolveArguments& arguments) {
  const bool alone = arguments.change.key.empty() && arguments.provider.empty() && !arguments.change.expect;
  if (!alone) throw UsageError("--from-csv names its keys itself: without KEY, --accepted and --expect");
  try {
    return read_settlements(read_file(session, *arguments.from_csv), arguments.change.why);
  } catch (const UsageError& fault) {
    throw UsageError(*arguments.from_csv + ": " + fault.what());
  }
}

std::string question_about(const SettlementFile& file) {
  const auto count = [&](Settlement::Action action) {
    return std::to_string(std::ranges::count(file.settlements, action, &Settlement::action));
  };
  return "Settle " + count(Settlement::Action::accepted) + " keys as accepted, and free " +
         count(Settlement::Action::release) + ", whose next send texts the person?";
}

struct StatusText {
  std::string_view code, text;
};
StatusText status_text(const SettlementReport& report, bool dry_run) {
  switch (report.status) {
    case Status::done:
      return {"done", dry_run ? "would be done" : "done"};
    case Status::left_alone:
      return {"left_alone", "left alone"};
    case Status::refused:
      return {"refused", text_of(report.reason).text};
    case Status::uncertain:
      return {"uncertain", "done or not: the store failed meanwhile; look at the key again"};
    case Status::not_tried:
      break;
  }
  return {"not_tried", "not tried"};
}

void print_json(std::ostream& out, std::size_t line, const Settlement& one, const SettlementReport& report,
                bool dry_run) {
  const auto [code, message] = status_text(report, dry_run);
  std::string text;
  detail::JsonWriter writer(text);
  writer.begin_object().key("line").number(static_cast<std::int64_t>(line)).key("key").string(one.key);
  writer.key("status").string(code);
  if (report.status == Status::refused) writer.key("reason").string(text_of(report.reason).code);
  if (report.status != Status::done && report.status != Status::left_alone) writer.key("message").string(message);
  if (!report.fault.empty()) writer.key("fault").string(report.fault);
  if (dry_run) writer.key("dryRun").boolean(true);
  writer.end_object();
  out << text << '\n';
}

void print_line(std::ostream& out, std::size_t line, const Settlement& one, const SettlementReport& report,
                bool dry_run) {
  if (report.status == Status::left_alone) return;
  const auto [code, message] = status_text(report, dry_run);
  out << "line " << line << "  " << one.key << "  " << (report.status == Status::refused ? "refused: " : "") << message;
  if (!report.fault.empty()) out << " (" << report.fault << ')';
  out << '\n';
}

ExitCode exit_code_of(const std::vector<SettlementReport>& reports) {
  const auto any = [&](Status status) { return std::ranges::find(reports, status, &SettlementReport::status); };
  if (any(Status::uncertain) != reports.end()) return ExitCode::store_unavailable;
  if (any(Status::not_tried) != reports.end()) return ExitCode::aborted;
  return any(Status::refused) != reports.end() ? ExitCode::refused : ExitCode::done;
}

}  // namespace

ExitCode settle_from_file(const Session& session, const KeysResolveArguments& arguments) {
  const SettlementFile file = read_checked(session, arguments);
  const bool agreed =
      arguments.dry_run || confirm(session.console, question_about(file), arguments.change.yes) == Consent::given;
  if (!agreed) {
    session.console.err << "sms-sdk: nothing was changed\n";
    return ExitCode::refused;
  }
  const Interrupt interrupt([&] { session.console.err << "\nsms-sdk: stopping; once more ends at once\n"; });
  const KeyStore keys = open_key_store(session);
  BulkOptions options;
  options.who = acting_user(arguments.change.who);
  options.ttl = keys.config.idempotency.ttl;
  options.settle = keys.config.settle;
  options.dry_run = arguments.dry_run;
  options.stop = interrupt.token();
  options.now = wall_now();
  options.on_report = [&](std::size_t i, const SettlementReport& report) {
    const auto print = session.common.json ? print_json : print_line;
    print(session.console.out, file.lines[i], file.settlements[i], report, arguments.dry_run);
    session.console.out.flush();
  };
  const auto reports = bulk_settle(keys.operators, file.settlements, options);
  const auto done = std::ranges::count(reports, Status::done, &SettlementReport::status);
  session.console.err << "sms-sdk: " << done << " of " << reports.size() << " lines "
                      << (arguments.dry_run ? "would be done; nothing was changed\n" : "done\n");
  return exit_code_of(reports);
}

}  // namespace sms::cli
