#include "command_options.hpp"

namespace sms::cli {

namespace {

constexpr const char* doctor_footer =
    "Checks configuration, credentials, senders, timings, store and clock without sending anything. With --live it\n"
    "then really sends one message, which costs money and needs a yes.\n\n"
    "Examples:\n"
    "  sms-sdk doctor\n"
    "  sms-sdk doctor --live --to +14155550123\n\n"
    "Exit codes: 0 all checks passed, 1 one failed, 2 usage.";

constexpr const char* simulate_footer =
    "Point an adapter's base_url at it. The ledger, not the sender's log, says what was created:\n"
    "  sms-sdk simulate --port 8080 &\n"
    "  curl -s http://127.0.0.1:8080/_sim/ledger\n"
    "  curl -s -X PUT http://127.0.0.1:8080/_sim/faults -d '[{\"action\":\"create_then_close\",\"times\":1}]'\n\n"
    "Ends on SIGINT or SIGTERM.";

constexpr const char* completion_footer =
    "Examples:\n"
    "  sms-sdk completion bash > ~/.local/share/bash-completion/completions/sms-sdk\n"
    "  sms-sdk completion zsh > ~/.zfunc/_sms-sdk\n"
    "  sms-sdk completion fish > ~/.config/fish/completions/sms-sdk.fish";

}  // namespace

void declare_other_commands(CLI::App& program, Invocation& invocation) {
  auto [doctor, checks] =
      declare<DoctorArguments>(program, invocation, "doctor", "Checks that everything is ready to send");
  doctor.footer(doctor_footer);
  CLI::Option* live = doctor.add_flag("--live", checks.live, "Then really send one message");
  CLI::Option* to = add_text(doctor, "--to", "NUMBER", checks.to, "Its recipient")->needs(live);
  live->needs(to);
  add_text(doctor, "--from", "SENDER", checks.from, "Its sender (default: the provider's)")->needs(live);
  doctor.add_flag("--yes", checks.yes, "Answers the confirmation; needed without a terminal")->needs(live);

  auto [simulate, judge] = declare<SimulateArguments>(
      program, invocation, "simulate",
      "Runs the providers' APIs on this machine: takes messages, sends none, keeps a ledger, fails as told");
  simulate.footer(simulate_footer);
  simulate.add_option("--port", judge.port, "Port to listen on (default: a free one)")->type_name("PORT");
  simulate.add_option("--host", judge.host, "Address to listen on (default: 127.0.0.1)")->type_name("ADDRESS");
  add_text(simulate, "--scenario", "FILE", judge.scenario, "Fault rules, JSON");
  add_text(simulate, "--ledger", "FILE", judge.ledger, "Appends every request and message to a file");
  simulate.add_option("--seed", judge.seed, "Of faults with a probability (default: 1)")->type_name("NUMBER");

  declare<VersionArguments>(program, invocation, "version", "Prints the version");

  auto [completion, script] =
      declare<CompletionArguments>(program, invocation, "completion", "Prints a completion script for a shell");
  completion.footer(completion_footer);
  completion.add_option("shell", script.shell, "bash, zsh or fish")
      ->check(CLI::IsMember({"bash", "zsh", "fish"}))
      ->type_name("SHELL")
      ->required();

  auto [help, topic] = declare<HelpArguments>(program, invocation, "help", "Explains a command");
  help.add_option("command", topic.command, "The command, such as: keys show")->type_name("COMMAND");
}

}  // namespace sms::cli
