#pragma once

#include <sms/operator_store.hpp>

#include "stores/postgres/answer.hpp"
#include "stores/postgres/link.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sms::detail {

/// Moments and bounds by which rows are judged.
struct PgMoment {
  WallTime now{};
  std::chrono::milliseconds stale_after{};
};
PgMoment moment_of(PgLink& link);
KeyView view_of(const PgRow& row, const PgMoment& moment);

/// What operators ask. Throw `PgFailure`.
ListPage list_keys(PgLink& link, const ListRequest& request);
std::optional<KeyView> show_key(PgLink& link, const std::string& key);
StoreStats count_keys(PgLink& link);
std::vector<AuditRow> read_audit(PgLink& link, std::size_t limit, const std::optional<std::string>& key);

/// What operators change: each is a transaction, with its audit row. Throw `PgFailure`.
OperatorResult resolve_key(PgLink& link, const ResolveRequest& request);
OperatorResult release_key(PgLink& link, const ReleaseRequest& request);
std::size_t purge_keys(PgLink& link, std::size_t limit);
void write_audit(PgLink& link, std::string_view key, const OperatorNote& note, std::string_view action,
                 std::string_view before);

}  // namespace sms::detail
