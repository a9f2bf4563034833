#include <sms/error.hpp>

#include "commands.hpp"
#include "console.hpp"
#include "simulator/simulator.hpp"

#include <stdexcept>

namespace sms::cli {

ExitCode run_command(const Session& session, const SimulateArguments& arguments) {
  simulator::SimulateOptions options;
  options.host = arguments.host;
  options.port = arguments.port;
  if (arguments.scenario) options.scenario = *arguments.scenario;
  if (arguments.ledger) options.ledger = *arguments.ledger;
  options.seed = arguments.seed;
  options.json = session.common.json;
  try {
    simulator::run_simulate(options, session.console.out);
  } catch (const std::runtime_error& error) {
    throw ConfigurationError(error.what());
  }
  return ExitCode::done;
}

}  // namespace sms::cli
