#include <sms/adapter_kit.hpp>
#include <sms/operator_tools.hpp>

#include "commands.hpp"
#include "csv.hpp"
#include "key_store.hpp"
#include "keys_report.hpp"
#include "report.hpp"

#include <algorithm>
#include <array>

namespace sms::cli {

namespace {

constexpr std::size_t column_count = 11;
const std::array<std::string, column_count> columns{"key",      "state", "since",  "age_seconds", "stale", "provider",
                                                    "attempts", "token", "action", "provider_id", "why"};

struct Sender {
  std::string provider;
  std::vector<Attempt> attempts;
};

/// Who took the message, or may have.
struct SenderOf {
  Sender operator()(const ReservedRecord& record) const {
    return {record.posting ? record.posting->provider : std::string(), {}};
  }
  Sender operator()(const AcceptedRecord& record) const { return {record.result.provider, record.result.attempts}; }
  Sender operator()(const RejectedRecord& record) const { return of(record.error); }
  Sender operator()(const UnknownRecord& record) const { return of(record.error); }

  static Sender of(const SerializedError& error) {
    const auto& attempts = error.attempts;
    const auto open = std::find_if(attempts.rbegin(), attempts.rend(),
                                   [](const Attempt& attempt) { return attempt.handoff() == Handoff::unknown; });
    if (open != attempts.rend()) return {open->provider, attempts};
    return {error.provider ? error.provider->provider : std::string(), attempts};
  }
};

void print_row(std::ostream& out, const KeyView& view) {
  const Sender sender = std::visit(SenderOf(), view.record);
  std::string attempts;
  for (const Attempt& attempt : sender.attempts) attempts += (attempts.empty() ? "" : "; ") + attempt_text(attempt);
  const auto age = std::chrono::floor<std::chrono::seconds>(view.age).count();
  write_csv_row(out, std::array<std::string, column_count>{view.key, std::string(to_string(state_of(view.record))),
                                                           view.since ? to_iso8601(*view.since) : std::string(),
                                                           std::to_string(age), view.stale ? "true" : "false",
                                                           sender.provider, attempts, view.token, "", "", ""});
}

}  // namespace

ExitCode run_command(const Session& session, const KeysExportArguments& arguments) {
  const KeyStore keys = open_key_store(session);
  const bool csv = arguments.format == "csv" && !session.common.json;
  ListRequest request;
  request.filter = parse_filter(arguments.filter);
  request.limit = 1'000;
  request.now = wall_now();
  if (csv) write_csv_row(session.console.out, columns);
  const std::size_t count = for_each_key(keys.operators, request, [&](const KeyView& view) {
    if (csv) {
      print_row(session.console.out, view);
    } else {
      session.console.out << key_json(view, keys.config.settle) << '\n';
    }
    return session.console.out.good();
  });
  session.console.err << "sms-sdk: " << count << (count == 1 ? " key\n" : " keys\n");
  return ExitCode::done;
}

}  // namespace sms::cli
