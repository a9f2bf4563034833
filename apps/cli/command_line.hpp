#pragma once

#include "arguments.hpp"
#include "command_tree.hpp"

#include <string>
#include <vector>

namespace sms::cli {

/// Reads the words after the program's name. Throws `UsageError`; `--help` becomes `HelpArguments`.
Invocation parse_command_line(const std::vector<std::string>& words);

/// The help text of a command, given as its words (none: of the program). Throws `UsageError` when there is none of
/// that name.
std::string help_text(const std::vector<std::string>& command);

/// All commands and options, as data.
CommandTree command_tree();

}  // namespace sms::cli
