#include "core/client_options.hpp"

#include <sms/error.hpp>

#include <set>
#include <string>
#include <utility>

namespace sms {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds century = std::chrono::hours(24 * 365 * 100);

/// Whole seconds where milliseconds would be a long number.
std::string text_of(milliseconds duration) {
  if (duration < std::chrono::seconds(1'000)) return std::to_string(duration.count()) + " ms";
  return std::to_string(std::chrono::duration_cast<std::chrono::seconds>(duration).count()) + " s";
}

void check_duration(std::string_view name, milliseconds value, milliseconds least) {
  if (value >= least && value < century) return;
  throw ConfigurationError(std::string(name) + " must be " +
                           (least == milliseconds(0) ? "zero or more" : "more than zero") + " and below 100 years");
}

void check_adapters(const std::vector<std::shared_ptr<Adapter>>& adapters) {
  if (adapters.empty()) throw ConfigurationError("adapters must have at least one adapter");
  std::set<std::string> names;
  for (const auto& adapter : adapters) {
    if (!adapter) throw ConfigurationError("adapters must not hold a null pointer");
    const auto& name = adapter->info().name;
    if (name.empty()) throw ConfigurationError("adapters: the name of an adapter must not be empty");
    if (!names.insert(name).second)
      throw ConfigurationError("adapters: two adapters are named \"" + name + "\"; names must differ");
  }
}

void check_idempotency(const ClientOptions& options) {
  const auto& idempotency = *options.idempotency;
  if (!idempotency.store) throw ConfigurationError("idempotency.store must not be null");
  check_duration("idempotency.ttl", idempotency.ttl, milliseconds(1));
  check_duration("idempotency.stale_reservation", idempotency.stale_reservation, milliseconds(1));
  check_duration("idempotency.store_timeout", idempotency.store_timeout, milliseconds(1));
  check_duration("idempotency.finalize_timeout", idempotency.finalize_timeout, milliseconds(1));
  check_duration("idempotency.in_progress.wait_up_to", idempotency.in_progress.wait_up_to, milliseconds(0));
  if (const auto slowest = slowest_send(options); idempotency.stale_reservation <= slowest) {
    throw ConfigurationError(
        "idempotency.stale_reservation is " + text_of(idempotency.stale_reservation) +
        ", but must be more than the slowest possible send with these options: " + text_of(slowest));
  }
  if (!idempotency.expect_store.empty() && idempotency.store->identity() != idempotency.expect_store) {
    throw ConfigurationError(
        "idempotency.expect_store: this is another store; refusing it, since a store without the known keys "
        "would send everything again");
  }
}

}  // namespace

std::chrono::milliseconds slowest_send(const ClientOptions& options) {
  const auto attempts = milliseconds::rep{options.retry.max_attempts};
  const auto per_adapter =
      attempts * (options.timeout + options.queue_timeout) + (attempts - 1) * options.retry.max_delay;
  const auto finalize = options.idempotency ? options.idempotency->finalize_timeout : milliseconds(0);
  return options.policy_timeout + static_cast<milliseconds::rep>(options.adapters.size()) * per_adapter + finalize;
}

namespace detail {

ClientOptions checked(ClientOptions options) {
  check_adapters(options.adapters);
  check_duration("timeout", options.timeout, milliseconds(1));
  check_duration("queue_timeout", options.queue_timeout, milliseconds(1));
  check_duration("late_answer_window", options.late_answer_window, milliseconds(0));
  check_duration("policy_timeout", options.policy_timeout, milliseconds(1));
  if (options.retry.max_attempts < 1 || options.retry.max_attempts > 100) {
    throw ConfigurationError("retry.max_attempts must be 1 to 100");
  }
  check_duration("retry.base_delay", options.retry.base_delay, milliseconds(1));
  check_duration("retry.max_delay", options.retry.max_delay, milliseconds(1));
  if (options.idempotency) check_idempotency(options);

  if (!options.clock) options.clock = system_clock();
  if (!options.executor) options.executor = thread_pool(4);
  if (!options.entropy) options.entropy = system_entropy();
  return options;
}

}  // namespace detail
}  // namespace sms
