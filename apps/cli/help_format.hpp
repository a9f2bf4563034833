#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <utility>

namespace sms::cli {

/// Help without CLI11's notes on needs, exclusions and ranges, and with what all commands share at the end.
class HelpFormat : public CLI::Formatter {
 public:
  HelpFormat() { column_width(32); }

  std::string make_option_opts(const CLI::Option* option) const override {
    const std::string type = option->get_type_name();
    const std::string initial = option->get_default_str();
    return (option->get_items_expected_max() > 0 ? " " + type.substr(0, type.find(':')) : std::string()) +
           (initial.empty() ? "" : " (" + initial + ")");
  }

  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
    return make_description(app) + make_usage(app, std::move(name)) + make_positionals(app) + make_ordered_groups(app) +
           make_subcommands(app, mode) + '\n' + make_footer(app);
  }

  static constexpr const char* shared_group = "Common";

 private:
  std::string make_ordered_groups(const CLI::App* app) const {
    std::string own;
    std::string shared;
    for (const std::string& group : app->get_groups()) {
      const auto options = app->get_options(
          [&](const CLI::Option* option) { return option->get_group() == group && option->nonpositional(); });
      if (options.empty()) continue;
      (group == shared_group ? shared : own) += make_group(group, false, options);
    }
    return own + shared;
  }
};

}  // namespace sms::cli
