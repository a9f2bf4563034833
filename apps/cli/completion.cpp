#include "completion.hpp"

#include <functional>

namespace sms::cli {

namespace {

using Visit = std::function<void(const std::string& path, const CommandTree& command)>;

/// Visits every command with its path of names below the program.
void walk(const CommandTree& command, const std::string& path, const Visit& visit) {
  visit(path, command);
  for (const CommandTree& child : command.commands) {
    walk(child, path.empty() ? child.name : path + " " + child.name, visit);
  }
}

std::string first_sentence(const std::string& text) { return text.substr(0, text.find_first_of(".\n;:")); }

/// A text as one word in single quotes.
std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

std::string words_of(const CommandTree& command) {
  std::string words;
  for (const CommandTree& child : command.commands) words += child.name + " ";
  for (const OptionNode& option : command.options) words += option.name + " ";
  if (!words.empty()) words.pop_back();
  return words;
}

std::string file_options(const CommandTree& tree, const std::string& separator) {
  std::string names;
  walk(tree, "", [&](const std::string&, const CommandTree& command) {
    for (const OptionNode& option : command.options) {
      const std::string name = option.name + separator;
      if (option.takes_file && (separator + names).find(separator + name) == std::string::npos) names += name;
    }
  });
  return names.substr(0, names.size() - separator.size());
}

std::string all_commands(const CommandTree& tree) {
  std::string names;
  walk(tree, "", [&](const std::string& path, const CommandTree&) {
    if (!path.empty()) names += quoted(path) + "|";
  });
  names.pop_back();
  return names;
}

std::string bash_script(const CommandTree& tree) {
  std::string script =
      "_sms_sdk() {\n"
      "  local word path='' cur=\"${COMP_WORDS[COMP_CWORD]}\" prev=\"${COMP_WORDS[COMP_CWORD-1]}\"\n"
      "  case \"$prev\" in\n    " +
      file_options(tree, "|") +
      ") COMPREPLY=($(compgen -f -- \"$cur\")); return ;;\n  esac\n"
      "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
      "    case \"${path:+$path }$word\" in\n      " +
      all_commands(tree) + ") path=\"${path:+$path }$word\" ;;\n    esac\n  done\n  case \"$path\" in\n";
  walk(tree, "", [&](const std::string& path, const CommandTree& command) {
    script += "    " + quoted(path) + ") COMPREPLY=($(compgen -W " + quoted(words_of(command)) + " -- \"$cur\")) ;;\n";
  });
  return script + "  esac\n}\ncomplete -F _sms_sdk sms-sdk\n";
}

/// `name:what it is`, with the colons of the name escaped, as zsh's _describe takes it.
std::string described(const std::string& name, const std::string& description) {
  return quoted(name + ":" + first_sentence(description));
}

std::string zsh_script(const CommandTree& tree) {
  std::string script =
      "#compdef sms-sdk\n_sms_sdk() {\n  local word path_='' \n  local -a found\n"
      "  case \"${words[CURRENT-1]}\" in\n    " +
      file_options(tree, "|") +
      ") _files; return ;;\n  esac\n  for word in \"${(@)words[2,CURRENT-1]}\"; do\n"
      "    case \"${path_:+$path_ }$word\" in\n      " +
      all_commands(tree) + ") path_=\"${path_:+$path_ }$word\" ;;\n    esac\n  done\n  case \"$path_\" in\n";
  walk(tree, "", [&](const std::string& path, const CommandTree& command) {
    script += "    " + quoted(path) + ") found=(";
    for (const CommandTree& child : command.commands) script += " " + described(child.name, child.description);
    for (const OptionNode& option : command.options) script += " " + described(option.name, option.description);
    script += " ) ;;\n";
  });
  return script +
         "  esac\n  _describe 'sms-sdk' found\n}\n"
         "if [ \"$funcstack[1]\" = \"_sms_sdk\" ]; then _sms_sdk; else compdef _sms_sdk sms-sdk; fi\n";
}

std::string fish_script(const CommandTree& tree) {
  std::string script =
      "function __sms_sdk_at\n"
      "  set -l path ''\n"
      "  for word in (commandline -opc)[2..-1]\n"
      "    switch (string trim -- \"$path $word\")\n";
  walk(tree, "", [&](const std::string& path, const CommandTree&) {
    if (!path.empty()) script += "      case " + quoted(path) + "\n        set path " + quoted(path) + "\n";
  });
  script += "    end\n  end\n  test \"$path\" = \"$argv[1]\"\nend\ncomplete -c sms-sdk -f\n";
  walk(tree, "", [&](const std::string& path, const CommandTree& command) {
    const std::string here = "complete -c sms-sdk -n \"__sms_sdk_at " + quoted(path) + "\"";
    for (const CommandTree& child : command.commands) {
      script += here + " -a " + child.name + " -d " + quoted(first_sentence(child.description)) + "\n";
    }
    for (const OptionNode& option : command.options) {
      script += here + " -l " + option.name.substr(2) +
                (option.takes_file    ? " -r -F"
                 : option.takes_value ? " -x"
                                      : "") +
                " -d " + quoted(first_sentence(option.description)) + "\n";
    }
  });
  return script;
}

}  // namespace

std::optional<Shell> parse_shell(std::string_view name) noexcept {
  if (name == "bash") return Shell::bash;
  if (name == "zsh") return Shell::zsh;
  if (name == "fish") return Shell::fish;
  return std::nullopt;
}

std::string completion_script(Shell shell, const CommandTree& tree) {
  switch (shell) {
    case Shell::bash:
      return bash_script(tree);
    case Shell::zsh:
      return zsh_script(tree);
    case Shell::fish:
      return fish_script(tree);
  }
  return {};
}

}  // namespace sms::cli
