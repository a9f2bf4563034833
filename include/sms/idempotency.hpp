#pragma once

#include <sms/clock.hpp>
#include <sms/error.hpp>
#include <sms/executor.hpp>
#include <sms/expected.hpp>
#include <sms/result.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace sms {

/// Written into a reservation just before a request starts: proof that the key is still ours, and a sign for operators
/// that something may have been posted.
struct PostingMark {
  std::string provider;  ///< Name of the adapter.
  int attempt = 1;
  WallTime at{};
  bool operator==(const PostingMark&) const = default;
};

/// A send is under way. Never expires and never becomes claimable by age.
struct ReservedRecord {
  std::string fingerprint;
  std::string reservation_id;  ///< 32 hex digits from us; another implementation's IDs are kept as they are.
  WallTime reserved_at{};
  std::optional<PostingMark> posting = {};
  ForeignFields foreign = {};
  bool operator==(const ReservedRecord&) const = default;
};
struct AcceptedRecord {
  std::string fingerprint;
  SendResult result;
  ForeignFields foreign = {};
  bool operator==(const AcceptedRecord&) const = default;
};
struct RejectedRecord {
  std::string fingerprint;
  SerializedError error;
  ForeignFields foreign = {};
  bool operator==(const RejectedRecord&) const = default;
};
/// Kept until evidence or an operator settles it.
struct UnknownRecord {
  std::string fingerprint;
  SerializedError error;
  ForeignFields foreign = {};
  bool operator==(const UnknownRecord&) const = default;
};

/// What a store keeps of a key: these four states and no other.
using IdempotencyRecord = std::variant<ReservedRecord, AcceptedRecord, RejectedRecord, UnknownRecord>;
using FinalIdempotencyRecord = std::variant<AcceptedRecord, RejectedRecord, UnknownRecord>;

RecordState state_of(const IdempotencyRecord&) noexcept;
RecordState state_of(const FinalIdempotencyRecord&) noexcept;
const std::string& fingerprint_of(const IdempotencyRecord&) noexcept;
const std::string& fingerprint_of(const FinalIdempotencyRecord&) noexcept;
IdempotencyRecord to_record(FinalIdempotencyRecord);

/// The record as JSON, fields in the order of the contract, byte for byte what the TypeScript SDK of the same contract
/// writes.
std::string to_json(const IdempotencyRecord&);
std::string to_json(const FinalIdempotencyRecord&);

/// Reads a record. Fields and words that this version does not know are kept; a text that is no record at all is
/// `StoreUnavailableError`, never "absent".
Expected<IdempotencyRecord> parse_record(std::string_view json);

struct ReserveRequest {
  std::string key;
  std::string fingerprint;
  /// Drawn for this one send; a store answers `Reserved` again when the row already holds it.
  std::string reservation_id;
  WallTime now{};  ///< The caller's clock; a store with a clock of its own uses that one.
  /// When this client calls a reservation stale; stores keep the largest for their operators.
  std::chrono::milliseconds stale_reservation{300'000};
};
struct Reserved {
  std::string reservation_id;
};
struct Existing {
  IdempotencyRecord record;
  /// Of a reservation, by the store's clock; 0 when its time lies in the future. Absent: the client takes its own
  /// clock.
  std::optional<std::chrono::milliseconds> age = {};
};
using ReserveResult = std::variant<Reserved, Existing>;

struct FinalizeRequest {
  std::string key;
  std::string reservation_id;
  FinalIdempotencyRecord record;
  std::chrono::milliseconds ttl{0};
  WallTime now{};
  /// Of a scheduled message: the record lives until `max(now, send_at) + ttl`.
  std::optional<WallTime> send_at = {};
};
enum class FinalizeResult { finalized, not_owner };

struct MarkRequest {
  std::string key;
  std::string reservation_id;
  PostingMark posting;
};
enum class MarkResult { marked, not_owner };

/// What became of evidence for a key that its holder does not own (any more).
enum class SettleResult {
  settled,            ///< The record now says what the evidence proves.
  kept,               ///< Nothing had to change, or the evidence is too weak to change it.
  duplicate_detected  ///< The key is accepted with another provider ID: two messages exist.
};

/// The optional second half of a store: what the client needs beyond the three functions of the contract. All five
/// stores of this library have it.
class EvidenceStore {
 public:
  virtual ~EvidenceStore() = default;
  /// One compare-and-set: while the key is reserved under `reservation_id`, writes the mark into it.
  virtual void mark(MarkRequest request, Callback<MarkResult> done) = 0;
  /// Writes evidence, in one atomic step, where it is stronger than what stands there:
  ///
  /// | record there | accepted | unknown | rejected |
  /// |---|---|---|---|
  /// | none or expired | written | written | kept |
  /// | reserved under this ID | written | written | written |
  /// | reserved under another ID | written | kept | kept |
  /// | rejected | written | written | kept |
  /// | unknown under this ID | written | kept | written |
  /// | unknown under another ID | written | kept | kept |
  /// | accepted, same provider and provider ID | kept | kept | kept |
  /// | accepted, another one | duplicate_detected | kept | kept |
  ///
  /// The reservation ID stays with a final record, so that "this ID" can be told.
  virtual void settle(FinalizeRequest request, Callback<SettleResult> done) = 0;
};

class OperatorStore;
class StoreMaintenance;

/// Port: the shared memory of keys. The contract is three functions; each is one atomic step.
///
/// All members are safe from any thread. A callback may run inside the call or on a thread of the store, exactly once,
/// with no lock of the store held. Errors are `StoreUnavailableError`.
class IdempotencyStore {
 public:
  virtual ~IdempotencyStore() = default;

  /// The current record; none when there is none or it has expired (`expires_at <= now`).
  virtual void get(std::string key, WallTime now, Callback<std::optional<IdempotencyRecord>> done) = 0;

  /// Claims the key. `Reserved` only when there is no record, or it has expired, or it is rejected with the same
  /// fingerprint, or it is reserved under this very reservation ID. Otherwise `Existing`, with nothing changed. Taking
  /// over an old row clears its expiry in the same step. A reserved or unknown record never expires.
  virtual void reserve(ReserveRequest request, Callback<ReserveResult> done) = 0;

  /// Replaces the reservation by a final record, only while `reservation_id` still owns the key; answers `finalized`
  /// again when the row already holds this final record under this ID. Accepted and rejected records live for `ttl`, an
  /// unknown one until somebody clears it.
  virtual void finalize(FinalizeRequest request, Callback<FinalizeResult> done) = 0;

  /// The further interfaces of this store, where it has them.
  virtual EvidenceStore* evidence() noexcept { return nullptr; }
  virtual OperatorStore* operators() noexcept { return nullptr; }
  virtual StoreMaintenance* maintenance() noexcept { return nullptr; }
  /// Whether sends through this store write posting marks unless told otherwise: shared stores do.
  virtual bool shared() const noexcept { return false; }
  /// What tells this very store from another one, drawn when it was first made; empty where it has none. A store on a
  /// server may have to connect for it: then the call blocks, and throws `StoreUnavailableError` when it cannot.
  virtual std::string identity() const { return {}; }
};

/// Base for a store of your own that blocks: its three plain functions run on `executor`. What they throw becomes
/// `StoreUnavailableError`. Work that is under way keeps a store alive that a `shared_ptr` holds.
class BlockingIdempotencyStore : public IdempotencyStore,
                                 public std::enable_shared_from_this<BlockingIdempotencyStore> {
 public:
  explicit BlockingIdempotencyStore(std::shared_ptr<Executor> executor);

  virtual std::optional<IdempotencyRecord> get(const std::string& key, WallTime now) = 0;
  virtual ReserveResult reserve(const ReserveRequest& request) = 0;
  virtual FinalizeResult finalize(const FinalizeRequest& request) = 0;

  void get(std::string key, WallTime now, Callback<std::optional<IdempotencyRecord>> done) final;
  void reserve(ReserveRequest request, Callback<ReserveResult> done) final;
  void finalize(FinalizeRequest request, Callback<FinalizeResult> done) final;

 private:
  template <class T, class Work>
  void run(const char* operation, Callback<T> done, Work work);

  std::shared_ptr<Executor> executor_;
};

}  // namespace sms
