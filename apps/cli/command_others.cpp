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

constexpr const char* completion_footer =
    "Examples:\n"
    "  sms-sdk completion bash > ~/.local/share/bash-completion/completions/sms-sdk\n"
    "  sms-sdk completion zsh > ~/.zfunc/_sms-sdk\n"
    "  sms-sdk completion fish > ~/.config/fish/completions/sms-sdk.fish";

constexpr const char* simulate_footer =
    "Speaks the APIs of Twilio and Telnyx on a socket of this machine until Ctrl-C. Nothing leaves it; it remembers\n"
    "every request and every message, and can lose answers, hang, refuse and close as providers do.\n\n"
    "Example, in two shells:\n"
    "  sms-sdk simulate --port 8025\n"
    "  printf '[[adapters]]\\nprovider = \"twilio\"\\nbase_url = \"http://127.0.0.1:8025\"\\n' > sms-sdk.toml\n"
    "  export TWILIO_ACCOUNT_SID=AC00000000000000000000000000000001 TWILIO_AUTH_TOKEN=t TWILIO_FROM=+15550100001\n"
    "  curl -X POST http://127.0.0.1:8025/_sim/faults -d '[{\"action\":\"create_then_hang\",\"times\":1}]'\n"
    "  sms-sdk send --store sqlite:keys.db --to +14155550123 --body Hi --key demo:1     # outcome unknown\n"
    "  sms-sdk send --store sqlite:keys.db --to +14155550123 --body Hi --key demo:1     # not sent again\n"
    "  curl http://127.0.0.1:8025/_sim/ledger                                           # one message\n\n"
    "Exit codes: 0 ended by a signal, 2 usage, it cannot listen, or the scenario is wrong.";

void declare_simulate(CLI::App& program, Invocation& invocation) {
  auto [simulate, options] =
      declare<SimulateArguments>(program, invocation, "simulate", "Runs a provider on this machine that sends nothing");
  simulate.footer(simulate_footer);
  add_text(simulate, "--host", "ADDRESS", options.host, "Where to listen (127.0.0.1)");
  simulate.add_option("--port", options.port, "0: a free one")->type_name("PORT")->capture_default_str();
  add_text(simulate, "--scenario", "FILE", options.scenario, "JSON file with the rules of faults");
  add_text(simulate, "--ledger", "FILE", options.ledger, "Appends every request to it, one JSON object a line");
  simulate.add_option("--seed", options.seed, "Of faults with a probability")->type_name("N")->capture_default_str();
}

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

  declare_simulate(program, invocation);

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
