#include "doctor_checks.hpp"

#include <sms/error.hpp>
#include <sms/operator_store.hpp>
#include <sms/store_maintenance.hpp>

#include "client_options.hpp"
#include "duration.hpp"
#include "sender_text.hpp"

#include <sys/stat.h>
#include <sys/timex.h>

#include <algorithm>

namespace sms::cli {

namespace {

/// Runs a check; what it throws is its failure.
template <class Body>
Check guarded(std::string name, Body body) {
  Check check{.name = std::move(name), .verdict = Verdict::passed, .message = {}};
  try {
    body(check);
  } catch (const std::exception& error) {
    check.verdict = Verdict::failed;
    check.message = error.what();
  }
  return check;
}

void warn(Check& check, const std::string& message) {
  check.verdict = Verdict::warned;
  check.message += (check.message.empty() ? "" : "; ") + message;
}

Check check_file(const Config& config) {
  return guarded("configuration", [&](Check& check) {
    check.message = config.file.empty() ? "from the environment" : config.file.string();
    struct stat status {};
    const bool readable_by_others = ::stat(config.file.c_str(), &status) == 0 && (status.st_mode & 077U) != 0;
    if (config.holds_secrets && readable_by_others) {
      warn(check, "it holds a secret and others may read it: chmod 600, or write env:NAME or file:PATH in its place");
    }
    if (config.adapters.empty()) make_client_options(config, nullptr);
  });
}

Check check_adapter(const AdapterSettings& settings) {
  const std::string name = std::visit([](const auto& options) { return options.name; }, settings);
  return guarded("adapter " + name, [&](Check& check) {
    const auto adapter = make_adapter(settings);
    const AdapterInfo& info = adapter->info();
    check.message = "credentials present, base URL " + std::visit([](const auto& o) { return o.base_url; }, settings);
    if (info.default_sender) {
      check.message += ", sends from " + mask_sender(*info.default_sender);
    } else {
      warn(check, "no default sender: every message needs --from");
    }
    for (const std::string& note : info.support_notes) warn(check, note);
  });
}

Check check_timings(const Config& config) {
  return guarded("timings", [&](Check& check) {
    ClientOptions options = make_client_options(config, nullptr);
    options.idempotency = config.idempotency;
    const auto slowest = slowest_send(options);
    check.message = "slowest send " + format_duration(slowest) + ", stale_reservation " +
                    format_duration(config.idempotency.stale_reservation) + ", ttl " +
                    format_duration(config.idempotency.ttl);
    if (config.idempotency.stale_reservation <= slowest) {
      check.verdict = Verdict::failed;
      check.message += ": stale_reservation must be longer than the slowest send";
    }
  });
}

void describe(Check& check, const IdempotencyStore& store) {
  check.message = store.shared() ? "opens, may be shared by processes" : "opens, serves this process alone";
  const std::string identity = store.identity();
  if (!identity.empty()) check.message += ", identity " + identity;
}

Check check_store(const Config& config) {
  return guarded("store", [&](Check& check) {
    const auto store = open_configured_store(config);
    if (!store) return warn(check, "none: messages with a key are refused, those without one may go out twice");
    describe(check, *store);
    if (!config.idempotency.expect_store.empty() && store->identity() != config.idempotency.expect_store) {
      throw ConfigurationError("its identity is not the one of expect_store");
    }
    OperatorStore* operators = store->operators();
    if (operators == nullptr) return warn(check, "keys are forgotten when the program ends");
    const auto now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
    const StoreStats stats = operators->stats(now);
    if (stats.unknown + stats.stale > 0) {
      warn(check, std::to_string(stats.unknown + stats.stale) + " keys need somebody: sms-sdk keys list");
    }
  });
}

/// What the store says of itself, one check a topic.
std::vector<Check> check_store_setup(const Config& config) {
  std::vector<Check> checks;
  try {
    const auto store = open_configured_store(config);
    StoreMaintenance* maintenance = store ? store->maintenance() : nullptr;
    if (maintenance == nullptr) return checks;
    for (const StoreFinding& finding : maintenance->examine()) {
      const bool fine = finding.level == StoreFinding::Level::fine;
      const bool warning = finding.level == StoreFinding::Level::warning;
      checks.push_back({.name = "store: " + finding.topic,
                        .verdict = fine      ? Verdict::passed
                                   : warning ? Verdict::warned
                                             : Verdict::failed,
                        .message = finding.text});
    }
  } catch (const std::exception& error) {
    checks.push_back({.name = "store: setup", .verdict = Verdict::failed, .message = error.what()});
  }
  return checks;
}

Check check_clock() {
  return guarded("clock", [](Check& check) {
    constexpr std::chrono::sys_days oldest = std::chrono::year(2026) / 1 / 1;
    timex state{};
    check.message = "set by the network";
    if (std::chrono::system_clock::now() < oldest) {
      check.verdict = Verdict::failed;
      check.message = "is years behind: ages and expiry of keys would be wrong";
    } else if (::adjtimex(&state) == TIME_ERROR) {
      check.message.clear();
      warn(check, "the system does not know whether its clock is right");
    }
  });
}

Check check_client(const Config& config) {
  return guarded("client", [&](Check& check) {
    const Client client(make_client_options(config, nullptr), nullptr);
    check.message = std::to_string(client.capabilities().size()) + " adapters, fallback " +
                    (config.client.fallback == Fallback::none ? "none" : "on known rejection");
  });
}

}  // namespace

std::string_view to_string(Verdict verdict) noexcept {
  switch (verdict) {
    case Verdict::passed:
      return "passed";
    case Verdict::warned:
      return "warned";
    case Verdict::failed:
      return "failed";
  }
  return "failed";
}

std::vector<Check> check_setup(const Config& config) {
  std::vector<Check> checks{check_file(config)};
  for (const AdapterSettings& settings : config.adapters) checks.push_back(check_adapter(settings));
  if (all_passed(checks)) {
    checks.push_back(check_client(config));
    checks.push_back(check_timings(config));
  }
  checks.push_back(check_store(config));
  for (Check& check : check_store_setup(config)) checks.push_back(std::move(check));
  checks.push_back(check_clock());
  return checks;
}

bool all_passed(const std::vector<Check>& checks) noexcept {
  return std::ranges::none_of(checks, [](const Check& check) { return check.verdict == Verdict::failed; });
}

}  // namespace sms::cli
