#include "program.hpp"

#include <sms/error.hpp>
#include <sms/version.hpp>

#include "command_line.hpp"
#include "commands.hpp"
#include "completion.hpp"
#include "report.hpp"
#include "store_url.hpp"
#include "usage_error.hpp"

#include <algorithm>
#include <csignal>

namespace sms::cli {

namespace {

/// For the commands that only look after keys or health, a wrong configuration is part of their usage.
bool only_looks_after_keys(const Command& command) {
  return !std::holds_alternative<SendArguments>(command) && !std::holds_alternative<ValidateArguments>(command);
}

ExitCode run_guarded(const Session& session, const Command& command) {
  try {
    return std::visit([&](const auto& arguments) { return run_command(session, arguments); }, command);
  } catch (const ConfigurationError& error) {
    report_error(session.console, error, session.common.json);
    return only_looks_after_keys(command) ? ExitCode::usage : ExitCode::invalid;
  } catch (const Error& error) {
    report_error(session.console, error, session.common.json);
    return exit_code_of(error);
  }
}

}  // namespace

ExitCode run_command(const Session& session, const VersionArguments&) {
  if (session.common.json) {
    session.console.out << "{\"version\":\"" << version << "\"}\n";
  } else {
    session.console.out << "sms-sdk " << version << '\n';
  }
  return ExitCode::done;
}

ExitCode run_command(const Session& session, const CompletionArguments& arguments) {
  const auto shell = parse_shell(arguments.shell);
  if (!shell) throw UsageError("completion is for bash, zsh or fish");
  session.console.out << completion_script(*shell, command_tree());
  return ExitCode::done;
}

ExitCode run_command(const Session& session, const HelpArguments& arguments) {
  session.console.out << help_text(arguments.command);
  return ExitCode::done;
}

int run(const std::vector<std::string>& words, Console& console, const Environment& environment) {
  std::signal(SIGPIPE, SIG_IGN);
  bool json = std::ranges::find(words, "--json") != words.end();
  ExitCode code = ExitCode::usage;
  try {
    const Invocation invocation = parse_command_line(words);
    json = invocation.common.json;
    if (invocation.common.store) refuse_password("--store", *invocation.common.store);
    code = run_guarded({console, environment, invocation.common}, invocation.command);
  } catch (const UsageError& error) {
    report_usage_error(console, error.what(), json);
  }
  console.out.flush();
  return static_cast<int>(code);
}

}  // namespace sms::cli
