#pragma once

#include <string>
#include <vector>

namespace sms::cli {

struct OptionNode {
  std::string name;  ///< With its dashes.
  std::string description;
  bool takes_value = false;
  bool takes_file = false;
};

/// A command with its options and sub-commands; the program itself is the root.
struct CommandTree {
  std::string name;
  std::string description;
  std::vector<OptionNode> options;
  std::vector<CommandTree> commands;
};

}  // namespace sms::cli
