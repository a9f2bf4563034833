#include <sms/client.hpp>

#include "client_options.hpp"
#include "commands.hpp"
#include "message_input.hpp"
#include "usage_error.hpp"

namespace sms::cli {

namespace {

void print(std::ostream& out, const ValidationResult& result) {
  out << (result.supported ? "Can be sent.\n" : "Cannot be sent.\n") << "  segments     " << result.estimate.segments
      << " (" << to_string(result.estimate.encoding) << ")\n";
  for (const std::string& name : result.adapter_candidates) out << "  by           " << name << '\n';
  for (const ValidationIssue& issue : result.issues) {
    out << "  issue        " << to_string(issue.code) << ", " << issue.field << ": " << issue.message;
    if (issue.provider) out << " (" << *issue.provider << ")";
    out << '\n';
  }
}

}  // namespace

ExitCode run_command(const Session& session, const ValidateArguments& arguments) {
  if (arguments.message.to.empty()) throw UsageError("--to is needed");
  const SendInput input = message_from(arguments.message, session.console);
  const Config config = load_config({session.common.config, session.common.store}, session.environment);
  const Client client(make_client_options(config, nullptr), nullptr);
  const ValidationResult result = client.validate(input);
  if (session.common.json) {
    session.console.out << result.to_json() << '\n';
  } else {
    print(session.console.out, result);
  }
  return result.supported ? ExitCode::done : ExitCode::invalid;
}

}  // namespace sms::cli
