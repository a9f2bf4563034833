#pragma once

#include <sms/operator_store.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace sms {

/// What is to become of one key, as an operator found at the provider.
struct Settlement {
  enum class Action {
    none,      ///< The key is left alone.
    accepted,  ///< Its message exists: `OperatorStore::resolve`.
    release    ///< It does not: `OperatorStore::release`.
  };
  std::string key;
  std::string token;  ///< Of the view that was judged.
  Action action = Action::none;
  std::string provider, provider_id;  ///< Of an accepted one.
  std::string why = {};
};

/// What became of it.
struct SettlementReport {
  enum class Status {
    done,
    left_alone,
    refused,    ///< `reason` says why.
    uncertain,  ///< The store failed meanwhile: done or not. Look at the key again.
    not_tried   ///< Comes after an uncertain one, or after the stop.
  };
  Status status = Status::not_tried;
  OperatorResult reason = OperatorResult::done;
  std::string fault = {};  ///< Of an uncertain one: what the store said.
};

struct BulkOptions {
  std::string who;
  std::chrono::milliseconds ttl = std::chrono::hours(24);      ///< Of accepted records.
  std::chrono::milliseconds settle = std::chrono::minutes(5);  ///< As in `ReleaseRequest`; never forced.
  /// Changes nothing, and foretells. That another key has the provider ID is only foreseen within the list.
  bool dry_run = false;
  std::stop_token stop = {};
  /// Called after each one, with its place in the list.
  std::function<void(std::size_t, const SettlementReport&)> on_report = {};
  WallTime now{};
};

/// Settles many keys, one after the other. Each is one compare-and-set on its token, with its audit row: what changed
/// since it was looked at is refused, and nothing is done twice when the same list is applied again. Ends with the
/// first key that the store cannot answer for. Blocks.
///
/// Throws `ConfigurationError`, before the first change, for a settlement that lacks its key, its token, or the
/// provider and the ID of an accepted one.
std::vector<SettlementReport> bulk_settle(OperatorStore& store, std::span<const Settlement> settlements,
                                          const BulkOptions& options);

}  // namespace sms
