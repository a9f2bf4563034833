#include "commands.hpp"
#include "simulator/simulator.hpp"

#include <stdexcept>

namespace sms::cli {

ExitCode run_command(const Session& session, const SimulateArguments& arguments) {
  simulator::SimulateOptions options;
  options.host = arguments.host;
  options.port = arguments.port;
  options.scenario = arguments.scenario;
  options.ledger = arguments.ledger;
  options.seed = arguments.seed;
  options.json = session.common.json;
  try {
    simulator::run_simulate(options, session.console.out);
  } catch (const std::runtime_error& error) {
    session.console.err << "sms-sdk: " << error.what() << '\n';
    return ExitCode::invalid;
  }
  return ExitCode::done;
}

}  // namespace sms::cli
