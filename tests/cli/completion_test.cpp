#include "completion.hpp"

#include "command_line.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <fstream>

namespace sms::cli {
namespace {

using testing::HasSubstr;

std::string output_of(const std::string& command) {
  std::string output;
  FILE* pipe = ::popen(command.c_str(), "r");
  std::array<char, 256> chunk{};
  while (std::size_t count = std::fread(chunk.data(), 1, chunk.size(), pipe)) output.append(chunk.data(), count);
  ::pclose(pipe);
  return output;
}

/// What bash offers for a line that ends in its last word.
std::string completed(const std::string& words, int last) {
  const std::string script = testing::TempDir() + "sms_sdk_completion.bash";
  std::ofstream(script) << completion_script(Shell::bash, command_tree());
  return output_of("bash -c 'source " + script + "; COMP_WORDS=(" + words + "); COMP_CWORD=" + std::to_string(last) +
                   "; _sms_sdk; echo \"${COMPREPLY[*]}\"'");
}

TEST(Completion, OffersCommandsThenTheirOptionsInBash) {
  EXPECT_EQ(completed("sms-sdk se", 1), "send segments\n");
  EXPECT_EQ(completed("sms-sdk keys re", 2), "resolve release\n");
  EXPECT_EQ(completed("sms-sdk keys exp", 2), "export\n");
  EXPECT_EQ(completed("sms-sdk keys list --lim", 3), "--limit\n");
  EXPECT_EQ(completed("sms-sdk keys resolve --fr", 3), "--from-csv\n");
  EXPECT_THAT(completed("sms-sdk keys resolve --from-csv /etc/passw", 4), HasSubstr("/etc/passwd"));
  EXPECT_EQ(completed("sms-sdk --json send --web", 3), "--webhook-url\n");
  EXPECT_THAT(completed("sms-sdk send --config /etc/passw", 3), HasSubstr("/etc/passwd"));
}

TEST(Completion, KnowsEveryCommandInEveryShell) {
  const CommandTree tree = command_tree();
  for (const Shell shell : {Shell::bash, Shell::zsh, Shell::fish}) {
    const std::string script = completion_script(shell, tree);
    for (const CommandTree& command : tree.commands) {
      EXPECT_THAT(script, HasSubstr(command.name));
      for (const CommandTree& below : command.commands) EXPECT_THAT(script, HasSubstr(below.name));
    }
    EXPECT_THAT(script, HasSubstr("batch"));
  }
}

TEST(Completion, KnowsItsShells) {
  EXPECT_EQ(parse_shell("zsh"), Shell::zsh);
  EXPECT_FALSE(parse_shell("csh"));
}

}  // namespace
}  // namespace sms::cli
