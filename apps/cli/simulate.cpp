#include "commands.hpp"
#include "usage_error.hpp"

namespace sms::cli {

ExitCode run_command(const Session&, const SimulateArguments&) { throw UsageError("this build has no simulator"); }

}  // namespace sms::cli
