#include <sms/error.hpp>
#include <sms/store_maintenance.hpp>
#include <sms/stores/redis.hpp>

#include "stores/redis/audit.hpp"
#include "stores/redis/loop.hpp"
#include "stores/redis/operators.hpp"

#include <atomic>
#include <memory>
#include <thread>
#include <utility>

namespace sms {
namespace {

using detail::RedisOperators;
using detail::RedisRequest;
using detail::RedisScript;
using detail::RedisScripts;
using detail::RespValue;
using std::chrono::milliseconds;

[[noreturn]] void unreadable(const char* operation) {
  throw StoreUnavailableError(operation, "the server's answer cannot be read");
}

detail::RedisRow row_of(const std::string& key, const RespValue& answer) {
  constexpr std::size_t fields_at = 4;
  if (answer.items.size() != fields_at + std::size(detail::redis_row_fields)) unreadable("get");
  return detail::read_row(key, std::span(answer.items).subspan(fields_at));
}

std::optional<IdempotencyRecord> read_get(const std::string& key, const RespValue& answer) {
  if (answer.items[3].text == "none") return std::nullopt;
  return detail::record_of(row_of(key, answer));
}

ReserveResult read_reserve(const std::string& key, const std::string& reservation_id, const RespValue& answer) {
  const auto& word = answer.items[3].text;
  if (word == "done") return Reserved{reservation_id};
  if (word != "existing") unreadable("reserve");
  const auto row = row_of(key, answer);
  const bool reserved = row.state == RecordState::reserved;
  return Existing{detail::record_of(row),
                  reserved ? detail::age_of(row, detail::answered_at(answer)) : milliseconds(0)};
}

template <class Result>
Result read_owned(const char* operation, Result done, Result not_owner, const RespValue& answer) {
  const auto& word = answer.items[3].text;
  if (word == "done") return done;
  if (word != "not_owner") unreadable(operation);
  return not_owner;
}

SettleResult read_settle(const RespValue& answer) {
  const auto& word = answer.items[3].text;
  if (word == "done") return SettleResult::settled;
  if (word == "duplicate") return SettleResult::duplicate_detected;
  if (word != "kept") unreadable("settle");
  return SettleResult::kept;
}

template <class T, class Read>
Expected<T> value_or_error(Read read) {
  try {
    return T(read());
  } catch (const StoreUnavailableError& error) {
    return error;
  }
}

class RedisStore final : public IdempotencyStore, public EvidenceStore, public OperatorStore, public StoreMaintenance {
 public:
  explicit RedisStore(RedisOptions options)
      : shared_(std::make_shared<detail::RedisShared>(std::move(options))),
        loop_(std::make_shared<detail::RedisLoop>(shared_)),
        thread_([loop = loop_] { loop->run(); }) {}
  RedisStore(const RedisStore&) = delete;
  RedisStore& operator=(const RedisStore&) = delete;
  ~RedisStore() override {
    loop_->stop();
    // A callback may drop the last reference.
    if (std::this_thread::get_id() == thread_.get_id()) {
      thread_.detach();
    } else {
      thread_.join();
    }
  }

  void get(std::string key, WallTime, Callback<std::optional<IdempotencyRecord>> done) override {
    auto request = make("get", RedisScripts::get(), key);
    request->writes = false;
    submit(std::move(request), std::move(done),
           [key = std::move(key)](const RespValue& answer) { return read_get(key, answer); });
  }
  void reserve(ReserveRequest asked, Callback<ReserveResult> done) override {
    auto request = make("reserve", RedisScripts::reserve(), asked.key);
    request->arguments = {asked.reservation_id, asked.fingerprint};
    request->stale_reservation = asked.stale_reservation;
    submit(std::move(request), std::move(done), [asked = std::move(asked)](const RespValue& answer) {
      return read_reserve(asked.key, asked.reservation_id, answer);
    });
  }
  void finalize(FinalizeRequest asked, Callback<FinalizeResult> done) override {
    auto request = make("finalize", RedisScripts::finalize(), asked.key);
    request->arguments = detail::final_arguments(asked);
    submit(std::move(request), std::move(done), [](const RespValue& answer) {
      return read_owned("finalize", FinalizeResult::finalized, FinalizeResult::not_owner, answer);
    });
  }
  void mark(MarkRequest asked, Callback<MarkResult> done) override {
    auto request = make("mark", RedisScripts::mark(), asked.key);
    request->arguments = {asked.reservation_id, detail::mark_json(asked.posting)};
    submit(std::move(request), std::move(done), [](const RespValue& answer) {
      return read_owned("mark", MarkResult::marked, MarkResult::not_owner, answer);
    });
  }
  void settle(FinalizeRequest asked, Callback<SettleResult> done) override {
    auto request = make("settle", RedisScripts::settle(), asked.key);
    request->arguments = detail::final_arguments(asked);
    submit(std::move(request), std::move(done), read_settle);
  }

  EvidenceStore* evidence() noexcept override { return this; }
  OperatorStore* operators() noexcept override { return this; }
  StoreMaintenance* maintenance() noexcept override { return this; }
  bool shared() const noexcept override { return true; }
  std::string identity() const override {
    auto known = shared_->memory.identity();
    if (known.empty()) {
      const detail::RedisSession session(shared_, "identity");
      known = shared_->memory.identity();
    }
    return known;
  }

  ListPage list(const ListRequest& request) override { return RedisOperators(shared_, "list").list(request); }
  std::optional<KeyView> show(const std::string& key, WallTime) override {
    return RedisOperators(shared_, "show").show(key);
  }
  OperatorResult resolve(const ResolveRequest& request) override {
    return RedisOperators(shared_, "resolve").resolve(request);
  }
  OperatorResult release(const ReleaseRequest& request) override {
    return RedisOperators(shared_, "release").release(request);
  }
  std::size_t purge_expired(std::size_t limit, WallTime) override {
    return RedisOperators(shared_, "purge").purge_expired(limit);
  }
  StoreStats stats(WallTime) override { return RedisOperators(shared_, "stats").stats(); }
  std::vector<AuditRow> audit(std::size_t limit, const std::optional<std::string>& key) override {
    return RedisOperators(shared_, "audit").audit(limit, key);
  }

  std::vector<StoreFinding> examine() override { return detail::RedisSession::examine(shared_); }
  void acknowledge_restore(const OperatorNote& note) override {
    detail::RedisSession session(shared_, "acknowledge_restore", true);
    const auto& names = shared_->names;
    session.run(RedisScripts::acknowledge(), {names.store(), names.store_audit()},
                {detail::draw_hex(), detail::audit_text(note, "acknowledge-restore", {}),
                 std::to_string(shared_->memory.restored_at())},
                detail::draw_hex());
  }

 private:
  std::shared_ptr<RedisRequest> make(const char* operation, const RedisScript& script, const std::string& key) {
    auto request = std::make_shared<RedisRequest>();
    request->operation = operation;
    request->script = &script;
    request->name = shared_->names.key(key);
    request->nonce = shared_->memory.writer() + "." + std::to_string(++requests_);
    request->deadline = BootClock::now() + shared_->options.operation_timeout;
    return request;
  }
  template <class T, class Read>
  void submit(std::shared_ptr<RedisRequest> request, Callback<T> done, Read read) {
    request->done = [done = std::move(done), read = std::move(read)](Expected<RespValue> answer) mutable {
      if (!answer) return done(answer.error_ptr());
      done(value_or_error<T>([&] { return read(*answer); }));
    };
    loop_->submit(std::move(request));
  }

  std::shared_ptr<detail::RedisShared> shared_;
  std::shared_ptr<detail::RedisLoop> loop_;
  std::atomic<std::uint64_t> requests_{0};
  std::thread thread_;
};

}  // namespace

std::shared_ptr<IdempotencyStore> redis_idempotency_store(RedisOptions options) {
  return std::make_shared<RedisStore>(detail::checked(std::move(options)));
}

}  // namespace sms
