#include <sms/client.hpp>
#include <sms/error.hpp>

#include "client_options.hpp"
#include "commands.hpp"
#include "core/json_text.hpp"
#include "doctor_checks.hpp"
#include "report.hpp"
#include "sender_text.hpp"
#include "sending.hpp"

#include <optional>

namespace sms::cli {

namespace {

void print(std::ostream& out, const std::vector<Check>& checks) {
  for (const Check& check : checks)
    out << to_string(check.verdict) << "  " << check.name << ": " << check.message << '\n';
}

std::string to_json(const std::vector<Check>& checks, bool passed, const std::optional<SendOutcome>& live) {
  std::string text;
  detail::JsonWriter writer(text);
  writer.begin_object().key("passed").boolean(passed).key("checks").begin_array();
  for (const Check& check : checks) {
    writer.begin_object().key("name").string(check.name).key("verdict").string(to_string(check.verdict));
    writer.key("message").string(check.message).end_object();
  }
  writer.end_array();
  if (live && *live) writer.key("result").raw((*live)->to_json());
  if (live && !*live) writer.key("error").raw(live->error().to_json());
  writer.end_object();
  return text;
}

/// Reads the configuration; a wrong one is a failed check, too.
std::vector<Check> checks_of(const Session& session, std::optional<Config>& config) {
  try {
    config = load_config({session.common.config, session.common.store}, session.environment);
  } catch (const Error& error) {
    return {{.name = "configuration", .verdict = Verdict::failed, .message = error.what()}};
  }
  return check_setup(*config);
}

/// Sends one message after a yes; none without it.
std::optional<SendOutcome> send_live(const Session& session, const DoctorArguments& arguments, const Config& config) {
  Client client = make_client(config, open_configured_store(config), {}, {});
  SendInput input;
  input.to = *arguments.to;
  input.body = "Test message of sms-sdk doctor.";
  if (arguments.from) input.from = parse_sender(*arguments.from);
  const AdapterInfo primary = client.capabilities().front();
  const std::optional<From> sender = input.from ? input.from : primary.default_sender;
  const std::string question = "Really send one message to " + input.to + " from " +
                               (sender ? format_sender(*sender) : "no sender") + " through " + primary.name +
                               "? It costs money.";
  if (confirm(session.console, question, arguments.yes) == Consent::refused) return std::nullopt;
  return client.try_send(input);
}

}  // namespace

ExitCode run_command(const Session& session, const DoctorArguments& arguments) {
  const bool json = session.common.json;
  std::optional<Config> config;
  const std::vector<Check> checks = checks_of(session, config);
  bool passed = all_passed(checks);
  if (!json) print(session.console.out, checks);
  std::optional<SendOutcome> live;
  if (arguments.live && passed) {
    live = send_live(session, arguments, *config);
    passed = live && *live;
    if (!live) session.console.err << "sms-sdk: nothing was sent\n";
  }
  if (json) {
    session.console.out << to_json(checks, passed, live) << '\n';
  } else if (live && *live) {
    report_result(session.console, **live, false);
  } else if (live) {
    report_error(session.console, live->error(), false);
  }
  return passed ? ExitCode::done : ExitCode::check_failed;
}

}  // namespace sms::cli
