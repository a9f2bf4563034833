#pragma once

#include <sms/clock.hpp>
#include <sms/error.hpp>
#include <sms/idempotency.hpp>

#include "stores/postgres/answer.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sms::detail {

/// The statements that take many keys at once.
enum class PgStatement { look, reserve, finalize, mark, settle_row, settle_new };
constexpr std::size_t pg_statements = 6;

/// What a caller asked for, until it is answered.
class PgOperation {
 public:
  explicit PgOperation(std::string key_) : key(std::move(key_)) {}
  PgOperation(const PgOperation&) = delete;
  PgOperation& operator=(const PgOperation&) = delete;
  virtual ~PgOperation() = default;

  /// The statement that serves it next.
  virtual PgStatement statement() const = 0;
  /// Its elements of the statement's arrays, after the key.
  virtual std::vector<std::optional<std::string>> values() const = 0;
  /// Answers the caller, or says false: then it is to be asked again. Throws `StoreUnavailableError`. Null: the
  /// statement left the key out.
  virtual bool take(const PgAnswer* answer) = 0;
  virtual void fail(const std::string& reason) = 0;
  /// The caller's `stale_reservation`, of a claim.
  virtual std::chrono::milliseconds stale_reservation() const { return {}; }

  const std::string key;
  BootClock::time_point deadline{};
  std::uint64_t number = 0;  ///< In the order of arrival.
  bool alone = false;        ///< Not with others: its row may be held, or cannot be stored.
  std::string trouble;       ///< Why it has no answer yet.
};
using PgOperations = std::vector<std::unique_ptr<PgOperation>>;

std::unique_ptr<PgOperation> pg_get(std::string key, Callback<std::optional<IdempotencyRecord>> done);
std::unique_ptr<PgOperation> pg_reserve(ReserveRequest request, Callback<ReserveResult> done);
std::unique_ptr<PgOperation> pg_finalize(FinalizeRequest request, Callback<FinalizeResult> done);
std::unique_ptr<PgOperation> pg_mark(MarkRequest request, Callback<MarkResult> done);
std::unique_ptr<PgOperation> pg_settle(FinalizeRequest request, Callback<SettleResult> done);

/// The final record as the arrays of `finalize` and both `settle` statements take it: reservation ID, fingerprint,
/// state, record, time to live, send_at, provider ID.
std::vector<std::optional<std::string>> final_values(const FinalizeRequest& request);

/// Answers a callback once.
template <class T>
class PgReply : public PgOperation {
 public:
  PgReply(std::string operation_key, const char* name, Callback<T> done)
      : PgOperation(std::move(operation_key)), name_(name), done_(std::move(done)) {}
  void fail(const std::string& reason) override { done_(StoreUnavailableError(name_, reason)); }

 protected:
  bool answer(T value) {
    done_(std::move(value));
    return true;
  }

 private:
  const char* name_;
  Callback<T> done_;
};

}  // namespace sms::detail
