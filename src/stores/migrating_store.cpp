#include <sms/error.hpp>
#include <sms/stores/migrating.hpp>

#include "stores/recent_ids.hpp"

#include <atomic>
#include <optional>
#include <utility>

namespace sms {
namespace {

using Record = std::optional<IdempotencyRecord>;
using StorePtr = std::shared_ptr<IdempotencyStore>;

/// Starts an operation of a store; what it throws is its answer.
template <class T, class Start>
void call(const char* operation, Start start, Callback<T> done) {
  struct Answer {
    Callback<T> done;
    std::atomic<bool> given{false};
    void give(Expected<T> result) {
      if (!given.exchange(true)) done(std::move(result));
    }
  };
  auto answer = std::make_shared<Answer>();
  answer->done = std::move(done);
  try {
    start(Callback<T>([answer](Expected<T> result) { answer->give(std::move(result)); }));
  } catch (...) {
    answer->give(StoreUnavailableError(operation, "the store threw", std::current_exception()));
  }
}

/// Runs the operation on the old store, then on the new one, whatever the old one answers, and joins the two answers.
template <class T, class Start, class Join>
void on_both(const char* operation, StorePtr old_store, StorePtr new_store, Start start, Join join, Callback<T> done) {
  const auto on_old = [start, old_store](Callback<T> answer) { start(*old_store, std::move(answer)); };
  call<T>(
      operation, on_old,
      [operation, new_store = std::move(new_store), start, join, done = std::move(done)](Expected<T> first) mutable {
        const auto on_new = [start, new_store](Callback<T> answer) { start(*new_store, std::move(answer)); };
        call<T>(operation, on_new,
                [first = std::move(first), join, done = std::move(done)](Expected<T> second) mutable {
                  if (!first) return done(std::move(first));
                  if (!second) return done(std::move(second));
                  done(join(*std::move(first), *std::move(second)));
                });
      });
}

int strength(const Record& record) {
  if (!record) return 0;
  switch (state_of(*record)) {
    case RecordState::rejected:
      return 1;
    case RecordState::reserved:
      return 2;
    case RecordState::unknown:
      return 3;
    case RecordState::accepted:
      return 4;
  }
  return 0;
}

Record stronger(Record of_old, Record of_new) { return strength(of_new) > strength(of_old) ? of_new : of_old; }

FinalizeResult finalized_by_both(FinalizeResult first, FinalizeResult second) {
  return first == FinalizeResult::finalized ? second : first;
}

MarkResult marked_by_both(MarkResult first, MarkResult second) { return first == MarkResult::marked ? second : first; }

SettleResult worse(SettleResult first, SettleResult second) {
  for (const auto result : {SettleResult::duplicate_detected, SettleResult::settled}) {
    if (first == result || second == result) return result;
  }
  return SettleResult::kept;
}

/// What is remembered of claims.
struct Memory {
  detail::RecentIds granted;    ///< Their senders may be sending.
  detail::RecentIds abandoned;  ///< Given back, perhaps: that may still be executed, and take a new claim with it.
};

/// A claim in both stores.
class Claim : public std::enable_shared_from_this<Claim> {
 public:
  Claim(StorePtr old_store, StorePtr new_store, std::shared_ptr<Memory> memory, ReserveRequest request,
        Callback<ReserveResult> done)
      : old_(std::move(old_store)),
        new_(std::move(new_store)),
        memory_(std::move(memory)),
        request_(std::move(request)),
        done_(std::move(done)) {}

  void begin() {
    if (memory_->abandoned.holds(request_.reservation_id)) {
      return done_(StoreUnavailableError("reserve", "this claim was given up: whether it was given back is not known"));
    }
    reserve(*old_,
            [self = shared_from_this()](Expected<ReserveResult> answer) { self->old_answered(std::move(answer)); });
  }

 private:
  void reserve(IdempotencyStore& store, Callback<ReserveResult> next) {
    call<ReserveResult>(
        "reserve", [&](Callback<ReserveResult> answer) { store.reserve(request_, std::move(answer)); },
        std::move(next));
  }

  bool claimed(const Expected<ReserveResult>& answer) const {
    const auto* reserved = answer ? std::get_if<Reserved>(&*answer) : nullptr;
    return reserved != nullptr && reserved->reservation_id == request_.reservation_id;
  }

  void old_answered(Expected<ReserveResult> answer) {
    if (!claimed(answer)) return done_(std::move(answer));
    reserve(*new_,
            [self = shared_from_this()](Expected<ReserveResult> second) { self->new_answered(std::move(second)); });
  }

  void new_answered(Expected<ReserveResult> answer) {
    if (claimed(answer)) {
      memory_->granted.add(request_.reservation_id);
      return done_(std::move(answer));
    }
    if (memory_->granted.holds(request_.reservation_id)) return done_(std::move(answer));
    give_back(std::move(answer));
  }

  /// Nothing was sent: nobody was told that the key is claimed.
  void give_back(Expected<ReserveResult> answer) {
    FinalizeRequest request;
    request.key = request_.key;
    request.reservation_id = request_.reservation_id;
    request.record = RejectedRecord{
        request_.fingerprint, StoreUnavailableError("reserve", "the other store did not claim it").serialize(), {}};
    request.ttl = std::chrono::milliseconds(1);
    request.now = request_.now;
    call<FinalizeResult>(
        "finalize", [&](Callback<FinalizeResult> next) { old_->finalize(request, std::move(next)); },
        [self = shared_from_this(), answer = std::move(answer)](Expected<FinalizeResult> given_back) mutable {
          if (!given_back) self->memory_->abandoned.add(self->request_.reservation_id);
          self->done_(std::move(answer));
        });
  }

  StorePtr old_, new_;
  std::shared_ptr<Memory> memory_;
  ReserveRequest request_;
  Callback<ReserveResult> done_;
};

class MigratingStore final : public IdempotencyStore, public EvidenceStore {
 public:
  MigratingStore(StorePtr old_store, StorePtr new_store) : old_(std::move(old_store)), new_(std::move(new_store)) {}

  void get(std::string key, WallTime now, Callback<Record> done) override {
    const auto start = [key = std::move(key), now](IdempotencyStore& store, Callback<Record> answer) {
      store.get(key, now, std::move(answer));
    };
    on_both<Record>("get", old_, new_, start, stronger, std::move(done));
  }
  void reserve(ReserveRequest request, Callback<ReserveResult> done) override {
    std::make_shared<Claim>(old_, new_, memory_, std::move(request), std::move(done))->begin();
  }
  void finalize(FinalizeRequest request, Callback<FinalizeResult> done) override {
    const auto start = [request = std::move(request)](IdempotencyStore& store, Callback<FinalizeResult> answer) {
      store.finalize(request, std::move(answer));
    };
    on_both<FinalizeResult>("finalize", old_, new_, start, finalized_by_both, std::move(done));
  }
  void mark(MarkRequest request, Callback<MarkResult> done) override {
    const auto start = [request = std::move(request)](IdempotencyStore& store, Callback<MarkResult> answer) {
      store.evidence()->mark(request, std::move(answer));
    };
    on_both<MarkResult>("mark", old_, new_, start, marked_by_both, std::move(done));
  }
  void settle(FinalizeRequest request, Callback<SettleResult> done) override {
    const auto start = [request = std::move(request)](IdempotencyStore& store, Callback<SettleResult> answer) {
      store.evidence()->settle(request, std::move(answer));
    };
    on_both<SettleResult>("settle", old_, new_, start, worse, std::move(done));
  }

  EvidenceStore* evidence() noexcept override {
    return old_->evidence() != nullptr && new_->evidence() != nullptr ? this : nullptr;
  }
  bool shared() const noexcept override { return old_->shared() || new_->shared(); }
  std::string identity() const override {
    const std::string of_old = old_->identity();
    const std::string of_new = new_->identity();
    return of_old.empty() || of_new.empty() ? of_old + of_new : of_old + "+" + of_new;
  }

 private:
  StorePtr old_, new_;
  std::shared_ptr<Memory> memory_ = std::make_shared<Memory>();
};

}  // namespace

std::shared_ptr<IdempotencyStore> migrating_store(std::shared_ptr<IdempotencyStore> old_store,
                                                  std::shared_ptr<IdempotencyStore> new_store) {
  if (!old_store || !new_store) throw ConfigurationError("migrating_store needs an old and a new store");
  if (old_store == new_store) throw ConfigurationError("migrating_store needs two stores, not the same one twice");
  return std::make_shared<MigratingStore>(std::move(old_store), std::move(new_store));
}

}  // namespace sms
