#pragma once

#include <sms/idempotency.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sms {

/// A row as an operator sees it.
struct KeyView {
  std::string key;
  IdempotencyRecord record;
  /// A token over the whole record, its reservation ID and its version. `resolve` and `release` act only while it still
  /// holds.
  std::string token;
  std::optional<std::string> reservation_id;  ///< Of final records too, where we wrote them.
  std::optional<WallTime> since;  ///< When it became what it is; absent when another implementation wrote the row.
  /// When it became unknown, or became or becomes a stale reservation; absent for the other states and where it is not
  /// known.
  std::optional<WallTime> open_since;
  std::optional<WallTime> expires_at;
  std::chrono::milliseconds age{0};  ///< Since `since` (or `reserved_at`), by the store's clock.
  bool stale = false;                ///< A reservation older than the store's largest `stale_reservation`.
  bool malformed = false;            ///< A reserved row without owner or time: held, never claimable.
};

enum class KeyFilter {
  open,  ///< Unknown, or a stale reservation: what needs an operator.
  all,
  reserved,
  accepted,
  rejected,
  unknown
};

struct ListRequest {
  KeyFilter filter = KeyFilter::open;
  std::string prefix = {};  ///< Only keys that begin with it.
  std::chrono::milliseconds min_age{0};
  std::size_t limit = 100;
  std::string cursor = {};  ///< From the page before; empty for the first.
  WallTime now{};
};
/// Oldest first, stable while rows come and go.
struct ListPage {
  std::vector<KeyView> keys;
  std::string next_cursor;  ///< Empty on the last page.
};

/// Who acts, and why: goes into the audit rows.
struct OperatorNote {
  std::string who;
  std::string why = {};
};

struct ResolveRequest {
  std::string key;
  std::string token;  ///< Of the view that was judged.
  std::string provider;
  std::string provider_id;
  OperatorNote note;
  std::chrono::milliseconds ttl{0};
  WallTime now{};
};

struct ReleaseRequest {
  std::string key;
  std::string token;
  OperatorNote note;
  /// How long since the record became unknown or stale before it may be released.
  std::chrono::milliseconds settle{300'000};
  bool force = false;  ///< Releases a fresh reservation or before `settle`; never an accepted record.
  WallTime now{};
};

enum class OperatorResult {
  done,
  not_found,
  changed,      ///< Somebody wrote the record after it was shown.
  not_open,     ///< Only an unknown or a stale record can be resolved or released.
  not_settled,  ///< Too early: a request may still be on its way.
  id_in_use     ///< The provider ID already stands under another key.
};

struct StoreStats {
  std::uint64_t reserved = 0, stale = 0, accepted = 0, rejected = 0, unknown = 0, expired = 0;
  std::optional<WallTime> oldest_open = {};
};

struct AuditRow {
  WallTime at{};
  std::string key, who, action, why, before;  ///< `before`: the record's JSON.
};

/// Port: what operators need, optional for a store. Functions block and throw `StoreUnavailableError`; call them from a
/// thread that may wait. Each change is one compare-and-set, and its audit row is written in the same transaction.
class OperatorStore {
 public:
  virtual ~OperatorStore() = default;
  virtual ListPage list(const ListRequest& request) = 0;
  virtual std::optional<KeyView> show(const std::string& key, WallTime now) = 0;
  /// Writes an accepted record from an operator's evidence. Unknown or stale keys only.
  virtual OperatorResult resolve(const ResolveRequest& request) = 0;
  /// Deletes the record, so that the key sends again.
  virtual OperatorResult release(const ReleaseRequest& request) = 0;
  /// Deletes at most `limit` expired records; answers how many.
  virtual std::size_t purge_expired(std::size_t limit, WallTime now) = 0;
  virtual StoreStats stats(WallTime now) = 0;
  /// The latest audit rows, newest first; of one key when given.
  virtual std::vector<AuditRow> audit(std::size_t limit, const std::optional<std::string>& key) = 0;
};

/// The accepted record that `resolve` writes: keeps the ID and the attempts of the record there.
AcceptedRecord resolved_record(const IdempotencyRecord& before, const std::string& provider,
                               const std::string& provider_id, std::string new_id);

}  // namespace sms
