#include "command_line.hpp"

#include "usage_error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sms::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string fault_of(const std::vector<std::string>& words) {
  try {
    parse_command_line(words);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no fault";
}

template <class Arguments>
Arguments parsed(const std::vector<std::string>& words) {
  return std::get<Arguments>(parse_command_line(words).command);
}

TEST(CommandLine, ReadsAMessage) {
  const auto send = parsed<SendArguments>({"send", "--to", "+14155550123", "--body", "Hi", "--key", "k", "--media",
                                           "https://a.test/1", "--media", "https://a.test/2", "--linger", "5s"});
  EXPECT_EQ(send.message.to, "+14155550123");
  EXPECT_EQ(send.message.body, "Hi");
  EXPECT_EQ(send.message.key, "k");
  EXPECT_THAT(send.message.media, ElementsAre("https://a.test/1", "https://a.test/2"));
  EXPECT_EQ(send.linger, "5s");
  EXPECT_FALSE(send.message.from);
}

TEST(CommandLine, TakesTextsAsTheyAre) {
  for (const char* text : {"", "{}", "[a,b]", "--help", "-x", "-", "%%", "a=b", "'q'", "\"q\""}) {
    EXPECT_EQ(parsed<SendArguments>({"send", "--to", "+1", "--body", text}).message.body, text) << text;
    EXPECT_EQ(parsed<SendArguments>({"send", "--to", "+1", "--body", "b", "--key", text}).message.key, text) << text;
  }
}

TEST(CommandLine, KeepsAnEmptyKeyApartFromNone) {
  EXPECT_EQ(parsed<SendArguments>({"send", "--to", "+1", "--key", ""}).message.key, "");
  EXPECT_EQ(parsed<SendArguments>({"send", "--to", "+1"}).message.key, std::nullopt);
}

TEST(CommandLine, TakesCommonOptionsBeforeAndAfterTheCommand) {
  const std::vector<std::vector<std::string>> lines{{"--json", "--config", "f", "keys", "list"},
                                                    {"keys", "--json", "list", "--config", "f"},
                                                    {"keys", "list", "--json", "--config", "f"}};
  for (const auto& words : lines) {
    const Invocation invocation = parse_command_line(words);
    EXPECT_TRUE(invocation.common.json);
    EXPECT_EQ(invocation.common.config, "f");
    EXPECT_TRUE(std::holds_alternative<KeysListArguments>(invocation.command));
  }
}

TEST(CommandLine, ReadsWhoAcceptedAMessage) {
  const auto resolve = parsed<KeysResolveArguments>({"keys", "resolve", "k", "--accepted", "twilio", "SM1", "--yes"});
  EXPECT_EQ(resolve.change.key, "k");
  EXPECT_EQ(resolve.provider, "twilio");
  EXPECT_EQ(resolve.provider_id, "SM1");
  EXPECT_TRUE(resolve.change.yes);
}

TEST(CommandLine, ReadsHowToSimulate) {
  const auto simulate =
      parsed<SimulateArguments>({"simulate", "--port", "8025", "--scenario", "f.json", "--seed", "7"});
  EXPECT_EQ(simulate.port, 8025);
  EXPECT_EQ(simulate.scenario, "f.json");
  EXPECT_EQ(simulate.seed, 7U);
  EXPECT_NE(fault_of({"simulate", "--port", "65536"}), "no fault");
}

TEST(CommandLine, SuggestsWhatWasMeant) {
  EXPECT_THAT(fault_of({"sned"}), HasSubstr("did you mean send?"));
  EXPECT_THAT(fault_of({"send", "--bdoy", "x"}), HasSubstr("did you mean --body?"));
  EXPECT_THAT(fault_of({"send", "--bdoy=x"}), HasSubstr("did you mean --body?"));
  EXPECT_THAT(fault_of({"keys", "lsit"}), HasSubstr("did you mean list?"));
}

TEST(CommandLine, RefusesWhatDoesNotGoTogether) {
  EXPECT_NE(fault_of({}), "no fault");
  EXPECT_NE(fault_of({"keys"}), "no fault");
  EXPECT_NE(fault_of({"keys", "show"}), "no fault");
  EXPECT_NE(fault_of({"keys", "resolve", "k", "--accepted", "twilio"}), "no fault");
  EXPECT_NE(fault_of({"send", "--batch", "f", "--to", "+1"}), "no fault");
  EXPECT_NE(fault_of({"send", "--batch", "f", "--concurrency", "0"}), "no fault");
  EXPECT_NE(fault_of({"send", "--batch", "f", "--concurrency", "x"}), "no fault");
  EXPECT_NE(fault_of({"keys", "list", "--limit", "-1"}), "no fault");
  EXPECT_NE(fault_of({"keys", "list", "--filter", "some"}), "no fault");
  EXPECT_NE(fault_of({"doctor", "--live"}), "no fault");
  EXPECT_NE(fault_of({"completion", "csh"}), "no fault");
}

TEST(CommandLine, TurnsHelpIntoACommand) {
  EXPECT_THAT(parsed<HelpArguments>({"keys", "resolve", "--help"}).command, ElementsAre("keys", "resolve"));
  EXPECT_THAT(parsed<HelpArguments>({"help", "keys", "show"}).command, ElementsAre("keys", "show"));
  EXPECT_THAT(parsed<HelpArguments>({"-h"}).command, ElementsAre());
}

TEST(Help, TeachesOutcomesWithTheirExitCodes) {
  const std::string help = help_text({"send"});
  EXPECT_THAT(help, HasSubstr("20  unknown"));
  EXPECT_THAT(help, HasSubstr("--key KEY"));
  EXPECT_THAT(help_text({}), HasSubstr("First steps"));
  EXPECT_THROW(help_text({"nothing"}), UsageError);
}

TEST(Help, DescribesEveryCommandAndOption) {
  const auto check = [](const auto& self, const CommandTree& command) -> void {
    EXPECT_NE(command.description, "") << command.name;
    for (const OptionNode& option : command.options) EXPECT_NE(option.description, "") << command.name << option.name;
    for (const CommandTree& child : command.commands) self(self, child);
  };
  check(check, command_tree());
}

TEST(CommandTree, HasNoOptionThatTakesASecret) {
  const auto check = [](const auto& self, const CommandTree& command) -> void {
    for (const OptionNode& option : command.options) {
      for (const char* word : {"secret", "password", "auth-token", "api-key"}) {
        EXPECT_EQ(option.name.find(word), std::string::npos) << option.name;
      }
    }
    for (const CommandTree& child : command.commands) self(self, child);
  };
  check(check, command_tree());
}

}  // namespace
}  // namespace sms::cli
