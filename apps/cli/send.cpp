#include <sms/client.hpp>

#include "batch.hpp"
#include "client_options.hpp"
#include "commands.hpp"
#include "interrupt.hpp"
#include "message_input.hpp"
#include "report.hpp"
#include "sending.hpp"
#include "usage_error.hpp"

#include <mutex>
#include <optional>

namespace sms::cli {

namespace {

/// Keeps what a late answer said, which comes on a thread of the client.
class LateOutcome {
 public:
  Hooks hooks() {
    Hooks hooks;
    hooks.on_late_outcome = [this](const LateOutcomeEvent& event) {
      const std::lock_guard lock(mutex_);
      outcome_ = event.result ? SendOutcome(*event.result) : SendOutcome(event.error);
    };
    return hooks;
  }
  std::optional<SendOutcome> take() {
    const std::lock_guard lock(mutex_);
    return std::move(outcome_);
  }

 private:
  std::mutex mutex_;
  std::optional<SendOutcome> outcome_;
};

bool may_still_settle(const SendOutcome& outcome) {
  return !outcome && outcome.error().code() == ErrorCode::handoff_unknown && !outcome.error().attempts().empty();
}

/// Sends, and with `linger` waits for the answer that settles an unknown outcome.
SendOutcome send_message(const Session& session, const Config& config, const SendInput& input, SendPlan plan) {
  const Interrupt interrupt([&] { session.console.err << "\nsms-sdk: cancelling; once more ends at once\n"; });
  plan.options.stop = interrupt.token();
  LateOutcome late;
  const auto store = input.idempotency_key ? open_configured_store(config) : nullptr;
  if (store) warn_of_forgetting(session.console, *store);
  std::optional<Client> client(make_client(config, store, plan, late.hooks()));
  SendOutcome outcome = client->try_send(input, plan.options);
  auto until = std::chrono::steady_clock::now();
  if (may_still_settle(outcome) && plan.linger.count() > 0) {
    session.console.err << "sms-sdk: no outcome yet; waiting for a late answer\n";
    until += plan.linger;
  }
  {
    const std::stop_callback cut_short(interrupt.token(), [&] { client->close(std::chrono::steady_clock::now()); });
    report_owed(session.console, client->close(until));
  }
  client.reset();
  if (auto settled = late.take()) return *std::move(settled);
  return outcome;
}

}  // namespace

ExitCode run_command(const Session& session, const SendArguments& arguments) {
  const SendPlan plan = plan_of(arguments);
  if (arguments.batch) return send_batch(session, *arguments.batch, arguments.concurrency, plan);
  if (arguments.message.to.empty()) throw UsageError("--to is needed, or --batch");
  if (!arguments.message.body && arguments.message.media.empty()) throw UsageError("--body is needed, or --media");
  const SendInput input = message_from(arguments.message, session.console);
  const Config config = load_config({session.common.config, session.common.store}, session.environment);
  if (!input.idempotency_key) {
    session.console.err << "sms-sdk: no --key: a repeat of this command will not be recognised, and texts again\n";
  } else if (const auto error = missing_store(config)) {
    error->raise();
  }
  const SendOutcome outcome = send_message(session, config, input, plan);
  if (!outcome) {
    report_error(session.console, outcome.error(), session.common.json, input.idempotency_key);
    return exit_code_of(outcome.error());
  }
  report_result(session.console, *outcome, session.common.json);
  return ExitCode::done;
}

}  // namespace sms::cli
