#pragma once

#include "commands.hpp"
#include "sending.hpp"

#include <cstddef>
#include <string>

namespace sms::cli {

/// Sends the messages of a file (`-`: standard input), one JSON object a line, with at most `concurrency` under way.
/// Outcomes are reported in the order of the lines; memory is bounded, whatever the number of lines.
ExitCode send_batch(const Session& session, const std::string& file, std::size_t concurrency, const SendPlan& plan);

}  // namespace sms::cli
