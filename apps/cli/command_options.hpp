#pragma once

/// Between the files that declare commands; heavy to compile, so nothing else includes it.

#include "arguments.hpp"

#include <CLI/CLI.hpp>

#include <memory>
#include <optional>
#include <string>

namespace sms::cli {

/// Adds the options that every command takes, to this one and to those below it.
void add_common_options(CLI::App& command, CommonArguments& common);

/// An option with one value that is taken as it is: empty texts, brackets and dashes mean themselves.
CLI::Option* add_text(CLI::App& command, const std::string& name, const std::string& value_name, std::string& target,
                      const std::string& description);
CLI::Option* add_text(CLI::App& command, const std::string& name, const std::string& value_name,
                      std::optional<std::string>& target, const std::string& description);

/// A command whose arguments become the invocation's command when it was given.
template <class Arguments>
struct Declared {
  CLI::App& app;
  Arguments& arguments;
};
template <class Arguments>
Declared<Arguments> declare(CLI::App& parent, Invocation& invocation, const std::string& name,
                            const std::string& description) {
  CLI::App* app = parent.add_subcommand(name, description);
  auto arguments = std::make_shared<Arguments>();
  app->callback([arguments, &invocation] { invocation.command = *arguments; });
  return {*app, *arguments};
}

void declare_message_commands(CLI::App& program, Invocation& invocation);
void declare_key_commands(CLI::App& program, Invocation& invocation);
void declare_other_commands(CLI::App& program, Invocation& invocation);

}  // namespace sms::cli
