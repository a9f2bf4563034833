#pragma once

#include "command_tree.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace sms::cli {

enum class Shell { bash, zsh, fish };
std::optional<Shell> parse_shell(std::string_view name) noexcept;

/// A script that completes the commands and options of the tree in that shell.
std::string completion_script(Shell shell, const CommandTree& tree);

}  // namespace sms::cli
