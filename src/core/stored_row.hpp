#pragma once

#include <sms/operator_store.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sms::detail {

/// A key as a store outside of this process keeps it: the columns of the contract's table, and those that are ours.
struct StoredRow {
  std::string key;
  std::string fingerprint;
  RecordState state{};
  std::optional<std::string> reservation_id;
  std::optional<WallTime> reserved_at;
  /// JSON. Of a reservation: what has no column of its own, as its posting mark.
  std::optional<std::string> record;
  std::optional<WallTime> expires_at;
  std::optional<WallTime> updated_at;

  /// What never expires does not expire by another writer's mistake either.
  std::optional<WallTime> expiry() const;
  bool expired(WallTime now) const { return expiry() && *expiry() <= now; }
  /// A reservation without owner or time: held, never claimable.
  bool malformed() const { return state == RecordState::reserved && (!reservation_id || !reserved_at); }
  /// When the row became what it is.
  std::optional<WallTime> since() const { return reserved_at ? reserved_at : updated_at; }
};

/// Throws `StoreUnavailableError` for what is no state.
RecordState parse_state(std::string_view word);

/// Throws `StoreUnavailableError` for a row that cannot be read; it is never taken for absent.
IdempotencyRecord record_of(const StoredRow& row);

/// How long the row has been what it is; zero where nobody knows, and for times in the future.
std::chrono::milliseconds age_of(const StoredRow& row, WallTime now);

/// Changes whenever the row does. `version`: what the store knows besides that tells one write from another.
std::string token_of(const StoredRow& row, const std::optional<std::string>& version);

/// The row as an operator sees it.
KeyView view_of(const StoredRow& row, const std::optional<std::string>& version, std::chrono::milliseconds age,
                std::chrono::milliseconds stale_after);

/// What the column `record` of a reservation holds once a request may have been posted.
std::string mark_json(const PostingMark& posting);

inline std::int64_t in_ms(WallTime time) { return time.time_since_epoch().count(); }

}  // namespace sms::detail
