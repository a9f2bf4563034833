#include "sending.hpp"

#include <sms/error.hpp>

#include "client_options.hpp"
#include "config_keys.hpp"
#include "duration.hpp"
#include "time_text.hpp"
#include "usage_error.hpp"

#include <algorithm>

namespace sms::cli {

std::chrono::milliseconds duration_option(std::string_view name, std::string_view text) {
  const auto parsed = parse_duration(text);
  if (!parsed) throw UsageError(std::string(name) + " " + std::string(duration_rule));
  return *parsed;
}

SendPlan plan_of(const SendArguments& arguments) {
  constexpr std::chrono::milliseconds longest = std::chrono::hours(24 * 365);
  SendPlan plan;
  if (arguments.deadline) {
    const auto left = std::min(duration_option("--deadline", *arguments.deadline), longest);
    plan.options.deadline = std::chrono::steady_clock::now() + left;
  }
  if (arguments.linger) plan.linger = std::min(duration_option("--linger", *arguments.linger), longest);
  if (arguments.in_progress) {
    plan.options.in_progress = parse_in_progress(*arguments.in_progress);
    if (!plan.options.in_progress) throw UsageError("--in-progress " + std::string(in_progress_rule));
  }
  if (arguments.issued_at) {
    plan.options.issued_at = parse_time(*arguments.issued_at);
    if (!plan.options.issued_at) throw UsageError("--issued-at " + std::string(time_rule));
  }
  return plan;
}

Client make_client(const Config& config, std::shared_ptr<IdempotencyStore> store, const SendPlan& plan, Hooks hooks) {
  ClientOptions options = make_client_options(config, std::move(store));
  options.late_answer_window = std::max(options.late_answer_window, plan.linger);
  options.hooks = std::move(hooks);
  return Client(std::move(options));
}

std::shared_ptr<const Error> missing_store(const Config& config) {
  if (config.store_url) return nullptr;
  return std::make_shared<const ConfigurationError>(
      "a key needs a store that remembers it: --store sqlite:PATH, [store] url in sms-sdk.toml, or SMS_SDK_STORE");
}

void warn_of_forgetting(Console& console, const IdempotencyStore& store) {
  if (store.shared()) return;
  console.err << "sms-sdk: this store forgets its keys when the program ends: a repeat will text again\n";
}

void report_owed(Console& console, const CloseReport& report) {
  for (const OwedOutcome& owed : report.owed) {
    console.err << "sms-sdk: the outcome of key " << owed.key << " could not be stored: it is "
                << to_string(state_of(owed.record)) << ", but its key stays reserved\n";
    if (const auto* accepted = std::get_if<AcceptedRecord>(&owed.record)) {
      console.err << "  next         sms-sdk keys resolve " << owed.key << " --accepted " << accepted->result.provider
                  << ' ' << accepted->result.provider_id << '\n';
    }
  }
}

}  // namespace sms::cli
