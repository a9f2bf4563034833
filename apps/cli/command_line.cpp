#include "command_line.hpp"

#include <sms/version.hpp>

#include "command_options.hpp"
#include "help_format.hpp"
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
  program->formatter(std::make_shared<HelpFormat>());
  program->require_subcommand(1);
  program->footer(program_footer);
  program->set_version_flag("--version", std::string(version), "The same as `sms-sdk version`");
  declare_message_commands(*program, invocation);
  declare_key_commands(*program, invocation);
  declare_other_commands(*program, invocation);
  add_common_options(*program, invocation.common);
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

bool takes_value(const CommandTree& command, const std::string& word) {
  const auto option = std::ranges::find(command.options, word, &OptionNode::name);
  return option != command.options.end() && option->takes_value;
}

std::string unknown(const std::string& kind, const std::string& word, const std::vector<std::string_view>& known) {
  const auto meant = nearest(word, known);
  return "there is no " + kind + " " + word + (meant ? "; did you mean " + std::string(*meant) + "?" : std::string());
}

/// What is wrong with the words, where one of them names no command or option; else the parser's own complaint.
std::string complaint_about(const std::vector<std::string>& words, const std::string& parser_complaint) {
  const CommandTree tree = command_tree();
  const CommandTree* at = &tree;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string word = words[i].substr(0, words[i].find('='));
    std::vector<std::string_view> known;
    if (word.starts_with("--") && word.size() > 2) {
      for (const OptionNode& option : at->options) known.push_back(option.name);
      if (std::ranges::find(known, word) == known.end()) return unknown("option", word, known);
      if (words[i] == word && takes_value(*at, word)) ++i;
    } else if (!at->commands.empty() && !word.starts_with('-')) {
      const auto child = std::ranges::find(at->commands, word, &CommandTree::name);
      for (const CommandTree& one : at->commands) known.push_back(one.name);
      if (child == at->commands.end()) return unknown("command", word, known);
      at = &*child;
    }
  }
  return parser_complaint;
}

}  // namespace

void add_common_options(CLI::App& command, CommonArguments& common) {
  const auto* group = HelpFormat::shared_group;
  add_text(command, "--config", "FILE", common.config, "Configuration (default: sms-sdk.toml, where it exists)")
      ->group(group);
  add_text(command, "--store", "URL", common.store, "Where keys are kept: sqlite:PATH or memory:")->group(group);
  command.add_flag("--json", common.json, "One JSON object on standard output")->group(group);
  command.get_help_ptr()->group(group)->description("Print this help");
  for (CLI::App* child : command.get_subcommands([](CLI::App*) { return true; })) add_common_options(*child, common);
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
    throw UsageError(complaint_about(words, fault.what()) + " (see `" + command + " --help`)");
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
