#pragma once

#include <sms/idempotency.hpp>
#include <sms/stores/memory.hpp>

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sms::tests {

enum class Operation { get, reserve, finalize, mark, settle };

enum class Fault {
  none,
  fail,        ///< Not executed; answers an error.
  lose_reply,  ///< Executed; answers an error.
  hang,        ///< Not executed; never answers.
  swallow,     ///< Executed; never answers.
  hold         ///< Executed when `release` is called.
};

/// A memory store whose operations can be made to fail, one by one or from now on. Counts its calls.
class FaultyStore final : public IdempotencyStore, public EvidenceStore {
 public:
  explicit FaultyStore(bool shared = true) : shared_(shared) {}

  void next(Operation operation, Fault fault) {
    const std::lock_guard lock(mutex_);
    planned_[operation].push_back(fault);
  }
  void always(Operation operation, Fault fault) {
    const std::lock_guard lock(mutex_);
    always_[operation] = fault;
  }
  /// Runs `before` just before the next execution of the operation: what another process does in between.
  void before(Operation operation, std::function<void()> action) {
    const std::lock_guard lock(mutex_);
    before_[operation] = std::move(action);
  }
  void release() {
    std::vector<UniqueFunction<void()>> held;
    {
      const std::lock_guard lock(mutex_);
      held.swap(held_);
    }
    for (auto& execute : held) execute();
  }
  int calls(Operation operation) const {
    const std::lock_guard lock(mutex_);
    const auto at = calls_.find(operation);
    return at == calls_.end() ? 0 : at->second;
  }
  std::vector<std::string> reservation_ids() const {
    const std::lock_guard lock(mutex_);
    return reservation_ids_;
  }
  MemoryIdempotencyStore& inner() { return *inner_; }
  std::optional<IdempotencyRecord> peek(const std::string& key, WallTime now) {
    std::optional<IdempotencyRecord> found;
    inner_->get(key, now, [&](auto record) { found = std::move(record).value(); });
    return found;
  }

  void get(std::string key, WallTime now, Callback<std::optional<IdempotencyRecord>> done) override {
    run<std::optional<IdempotencyRecord>>(Operation::get, std::move(done),
                                          [this, key, now](auto answer) { inner_->get(key, now, std::move(answer)); });
  }
  void reserve(ReserveRequest request, Callback<ReserveResult> done) override {
    {
      const std::lock_guard lock(mutex_);
      reservation_ids_.push_back(request.reservation_id);
    }
    run<ReserveResult>(Operation::reserve, std::move(done),
                       [this, request](auto answer) { inner_->reserve(request, std::move(answer)); });
  }
  void finalize(FinalizeRequest request, Callback<FinalizeResult> done) override {
    run<FinalizeResult>(Operation::finalize, std::move(done),
                        [this, request](auto answer) { inner_->finalize(request, std::move(answer)); });
  }
  void mark(MarkRequest request, Callback<MarkResult> done) override {
    run<MarkResult>(Operation::mark, std::move(done),
                    [this, request](auto answer) { inner_->evidence()->mark(request, std::move(answer)); });
  }
  void settle(FinalizeRequest request, Callback<SettleResult> done) override {
    run<SettleResult>(Operation::settle, std::move(done),
                      [this, request](auto answer) { inner_->evidence()->settle(request, std::move(answer)); });
  }
  EvidenceStore* evidence() noexcept override { return this; }
  bool shared() const noexcept override { return shared_; }

 private:
  template <class T, class Execute>
  void run(Operation operation, Callback<T> done, Execute execute) {
    Fault fault = Fault::none;
    std::function<void()> before;
    {
      const std::lock_guard lock(mutex_);
      ++calls_[operation];
      if (const auto at = always_.find(operation); at != always_.end()) fault = at->second;
      if (auto& planned = planned_[operation]; !planned.empty()) {
        fault = planned.front();
        planned.pop_front();
      }
      if (fault != Fault::hang && fault != Fault::fail) std::swap(before, before_[operation]);
    }
    if (before) before();
    switch (fault) {
      case Fault::none:
        return execute(std::move(done));
      case Fault::fail:
        return done(StoreUnavailableError("test", "told to fail"));
      case Fault::lose_reply:
        execute(Callback<T>([](Expected<T>) {}));
        return done(StoreUnavailableError("test", "told to lose the reply"));
      case Fault::hang:
        break;
      case Fault::swallow:
        execute(Callback<T>([](Expected<T>) {}));
        break;
      case Fault::hold: {
        const std::lock_guard lock(mutex_);
        held_.emplace_back([execute, done = std::move(done)]() mutable { execute(std::move(done)); });
        return;
      }
    }
    const std::lock_guard lock(mutex_);
    held_forever_.push_back(std::make_shared<Callback<T>>(std::move(done)));
  }

  bool shared_;
  std::shared_ptr<MemoryIdempotencyStore> inner_ = memory_idempotency_store();
  mutable std::mutex mutex_;
  std::map<Operation, std::deque<Fault>> planned_;
  std::map<Operation, Fault> always_;
  std::map<Operation, std::function<void()>> before_;
  std::map<Operation, int> calls_;
  std::vector<std::string> reservation_ids_;
  std::vector<UniqueFunction<void()>> held_;
  std::vector<std::shared_ptr<void>> held_forever_;
};

}  // namespace sms::tests
