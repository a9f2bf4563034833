#include "command_line.hpp"

#include <sms/version.hpp>

#include "command_options.hpp"
#include "nearest.hpp"
#include "usage_error.hpp"

#include <algorithm>
#include <string_view>

namespace sms::cli {

namespace {

constexpr const char* program_footer =
    "First steps:\n"
    "  export TWILIO_ACCOUNT_SID=... TWILIO_AUTH_TOKEN=... TWILIO_FROM=+15550100001 SMS_SDK_STORE=sqlite:keys.db\n"
    "  sms-sdk doctor\n"
    "  sms-sdk send --to +14155550123 --body 'Order 123 shipped.' --key order:123:shipped:v1\n"
    "Say it again with the same key: nothing is sent, the first result is answered.\n\n"
    "`sms-sdk COMMAND --help` explains a command, its outcomes and its exit codes.";

std::unique_ptr<CLI::App> make_program(Invocation& invocation) {
  auto program =
      std::make_unique<CLI::App>("Sends SMS through many providers and never texts anyone twice.", "sms-sdk");
  program->get_formatter()->column_width(32);
  program->require_subcommand(1);
  program->footer(program_footer);
  program->set_version_flag("--version", std::string(version), "The same as `sms-sdk version`");
  add_common_options(*program, invocation.common);
  declare_message_commands(*program, invocation);
  declare_key_commands(*program, invocation);
  declare_other_commands(*program, invocation);
  return program;
}

CommandTree tree_of(const CLI::App& command) {
  CommandTree tree{command.get_name(), command.get_description(), {}, {}};
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      const std::string type = option->get_type_name();
      tree.options.push_back(
          {"--" + name, option->get_description(), option->get_items_expected_max() > 0, type == "FILE"});
    }
  }
  for (const CLI::App* child : command.get_subcommands([](const CLI::App*) { return true; })) {
    tree.commands.push_back(tree_of(*child));
  }
  return tree;
}

std::vector<std::string> chosen_command(const CLI::App& program) {
  std::vector<std::string> names;
  for (const CLI::App* at = &program; !at->get_subcommands().empty();) {
    at = at->get_subcommands().front();
    names.push_back(at->get_name());
  }
  return names;
}

/// The option or command that a word that was not expected was probably meant to be.
std::string suggestion_for(const CLI::App& program, const std::string& complaint) {
  const std::size_t at = complaint.rfind(": ");
  if (at == std::string::npos) return {};
  const std::string word = complaint.substr(at + 2, complaint.find_first_of(" =", at + 2) - at - 2);
  CommandTree tree = tree_of(program);
  for (const std::string& name : chosen_command(program)) {
    tree = CommandTree(*std::ranges::find(tree.commands, name, &CommandTree::name));
  }
  std::vector<std::string_view> known;
  for (const OptionNode& option : tree.options) known.push_back(option.name);
  for (const CommandTree& child : tree.commands) known.push_back(child.name);
  const auto meant = nearest(word, known);
  return meant ? "; did you mean " + std::string(*meant) + "?" : std::string();
}

}  // namespace

void add_common_options(CLI::App& command, CommonArguments& common) {
  add_text(command, "--config", "FILE", common.config, "Configuration (default: sms-sdk.toml, where it exists)")
      ->group("Common");
  add_text(command, "--store", "URL", common.store, "Where keys are kept: sqlite:PATH or memory:")->group("Common");
  command.add_flag("--json", common.json, "One JSON object on standard output")->group("Common");
}

CLI::Option* add_text(CLI::App& command, const std::string& name, const std::string& value_name, std::string& target,
                      const std::string& description) {
  const auto take = [&target](const CLI::results_t& values) {
    target = values.back();
    return true;
  };
  return command.add_option(name, take, description)->type_name(value_name);
}

CLI::Option* add_text(CLI::App& command, const std::string& name, const std::string& value_name,
                      std::optional<std::string>& target, const std::string& description) {
  const auto take = [&target](const CLI::results_t& values) {
    target = values.back();
    return true;
  };
  return command.add_option(name, take, description)->type_name(value_name);
}

Invocation parse_command_line(const std::vector<std::string>& words) {
  Invocation invocation;
  const auto program = make_program(invocation);
  if (words.empty()) throw UsageError("a command is needed; `sms-sdk help` lists them");
  try {
    program->parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::CallForHelp&) {
    invocation.command = HelpArguments{chosen_command(*program)};
  } catch (const CLI::CallForVersion&) {
    invocation.command = VersionArguments{};
  } catch (const CLI::ParseError& fault) {
    const std::vector<std::string> chosen = chosen_command(*program);
    std::string command = "sms-sdk";
    for (const std::string& name : chosen) command += " " + name;
    throw UsageError(std::string(fault.what()) + suggestion_for(*program, fault.what()) + " (see `" + command +
                     " --help`)");
  }
  return invocation;
}

std::string help_text(const std::vector<std::string>& command) {
  Invocation invocation;
  const auto program = make_program(invocation);
  const CLI::App* at = program.get();
  std::string parents;
  for (const std::string& name : command) {
    const auto children = at->get_subcommands([&](const CLI::App* child) { return child->get_name() == name; });
    if (children.empty()) throw UsageError("there is no command " + name + "; `sms-sdk help` lists them");
    parents += (parents.empty() ? "" : " ") + at->get_name();
    at = children.front();
  }
  return at->help(parents);
}

CommandTree command_tree() {
  Invocation invocation;
  return tree_of(*make_program(invocation));
}

}  // namespace sms::cli
