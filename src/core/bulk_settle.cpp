#include <sms/bulk_settle.hpp>
#include <sms/error.hpp>

#include "core/operator_rules.hpp"

#include <map>
#include <optional>
#include <utility>

namespace sms {
namespace {

using Action = Settlement::Action;
using Status = SettlementReport::Status;

void check(std::span<const Settlement> settlements) {
  for (std::size_t i = 0; i < settlements.size(); ++i) {
    const Settlement& one = settlements[i];
    if (one.action == Action::none) continue;
    const bool nameless = one.action == Action::accepted && (one.provider.empty() || one.provider_id.empty());
    if (one.key.empty() || one.token.empty() || nameless) {
      throw ConfigurationError("settlement " + std::to_string(i + 1) +
                               " lacks its key, token, provider or provider ID");
    }
  }
}

ResolveRequest resolution(const Settlement& one, const BulkOptions& options) {
  ResolveRequest request;
  request.key = one.key;
  request.token = one.token;
  request.provider = one.provider;
  request.provider_id = one.provider_id;
  request.note = {options.who, one.why};
  request.ttl = options.ttl;
  request.now = options.now;
  return request;
}

ReleaseRequest freeing(const Settlement& one, const BulkOptions& options) {
  ReleaseRequest request;
  request.key = one.key;
  request.token = one.token;
  request.note = {options.who, one.why};
  request.settle = options.settle;
  request.now = options.now;
  return request;
}

/// Says what a change would be answered with.
class Prophet {
 public:
  OperatorResult operator()(OperatorStore& store, const Settlement& one, const BulkOptions& options) {
    const auto seen = store.show(one.key, options.now);
    if (one.action == Action::release) {
      const bool known = seen && seen->open_since && seen->since;
      const auto stale_after = known ? *seen->open_since - *seen->since : std::chrono::milliseconds(0);
      return detail::may_release(seen, freeing(one, options), stale_after);
    }
    const auto result = detail::may_resolve(seen, resolution(one, options));
    if (result != OperatorResult::done) return result;
    const auto [owner, is_new] = owners_.try_emplace({one.provider, one.provider_id}, one.key);
    return is_new || owner->second == one.key ? OperatorResult::done : OperatorResult::id_in_use;
  }

 private:
  std::map<std::pair<std::string, std::string>, std::string> owners_;
};

}  // namespace

std::vector<SettlementReport> bulk_settle(OperatorStore& store, std::span<const Settlement> settlements,
                                          const BulkOptions& options) {
  check(settlements);
  Prophet foretell;
  std::vector<SettlementReport> reports(settlements.size());
  bool goes_on = true;
  for (std::size_t i = 0; i < settlements.size(); ++i) {
    const Settlement& one = settlements[i];
    SettlementReport& report = reports[i];
    goes_on = goes_on && !options.stop.stop_requested();
    if (one.action == Action::none) {
      report.status = Status::left_alone;
    } else if (goes_on) {
      try {
        report.reason = options.dry_run                  ? foretell(store, one, options)
                        : one.action == Action::accepted ? store.resolve(resolution(one, options))
                                                         : store.release(freeing(one, options));
        report.status = report.reason == OperatorResult::done ? Status::done : Status::refused;
      } catch (const StoreUnavailableError& error) {
        report.status = Status::uncertain;
        report.fault = error.what();
        goes_on = false;
      }
    }
    if (options.on_report) options.on_report(i, report);
  }
  return reports;
}

}  // namespace sms
