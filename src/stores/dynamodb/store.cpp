#include <sms/error.hpp>
#include <sms/store_maintenance.hpp>
#include <sms/stores/dynamodb.hpp>

#include "stores/dynamodb/api.hpp"
#include "stores/dynamodb/audit.hpp"
#include "stores/dynamodb/maintenance.hpp"
#include "stores/dynamodb/operators.hpp"
#include "stores/dynamodb/options.hpp"
#include "stores/dynamodb/rows.hpp"
#include "stores/dynamodb/table.hpp"

#include <future>
#include <memory>
#include <optional>
#include <utility>

namespace sms {
namespace {

using detail::Operation;
using detail::Task;
using detail::TypedOperation;
using std::chrono::milliseconds;

/// What operations share. Lives until the last of them has ended.
class Core : public std::enable_shared_from_this<Core> {
 public:
  explicit Core(DynamodbOptions complete)
      : options(std::move(complete)),
        api(options),
        table(options, api,
              [this](std::string name, auto work, Callback<detail::StoreFacts> done) {
                start<detail::StoreFacts>(std::move(name), std::move(done), std::move(work));
              }),
        rows(table, api),
        operators(table, api, options.operation_timeout),
        maintenance(table, api, options),
        audit(table, api) {}

  /// Runs `work(operation)`, a task. `done` is called once, in time.
  template <class T, class Work>
  void start(std::string name, Callback<T> done, Work work) {
    const auto deadline = options.clock->boot_time() + options.operation_timeout;
    auto operation = std::make_shared<TypedOperation<T>>(std::move(name), deadline, std::move(done));
    if (!operations->enter(operation)) return operation->give_up("the store was closed");
    watch(options.clock, operation, options.operation_timeout);
    run<T>(shared_from_this(), operations, std::move(operation), std::move(work));
  }

  DynamodbOptions options;
  std::shared_ptr<detail::Operations> operations = std::make_shared<detail::Operations>();
  detail::DynamoApi api;
  detail::DynamoTable table;
  detail::DynamoRows rows;
  detail::DynamoOperators operators;
  detail::DynamoMaintenance maintenance;
  detail::DynamoAudit audit;

 private:
  /// Gives the operation up at its deadline, which may move. The timer keeps neither it nor the clock alive.
  static void watch(const std::weak_ptr<Clock>& clock, const std::weak_ptr<Operation>& watched,
                    std::chrono::nanoseconds delay) {
    const auto timers = clock.lock();
    const auto operation_to_watch = watched.lock();
    if (!timers || !operation_to_watch) return;
    auto timer = timers->after(delay, [clock, watched] {
      const auto operation = watched.lock();
      const auto now = clock.lock();
      if (!operation || !now || operation->over()) return;
      const auto left = operation->deadline() - now->boot_time();
      if (left.count() > 0) return watch(clock, watched, left);
      const auto trouble = operation->trouble();
      operation->give_up("DynamoDB did not answer in time" + (trouble.empty() ? "" : " (" + trouble + ")"));
    });
    operation_to_watch->set_timer(std::move(timer));
  }

  template <class T, class Work>
  static detail::Detached run(std::shared_ptr<Core> core, std::shared_ptr<detail::Operations> operations,
                              std::shared_ptr<TypedOperation<T>> operation, Work work) {
    std::optional<Expected<T>> answer;
    try {
      T value = co_await work(*operation);
      answer.emplace(std::move(value));
    } catch (const StoreUnavailableError& error) {
      answer.emplace(error);
    } catch (const detail::DynamoRefusal& refusal) {
      if (refusal.type() == "ResourceNotFoundException") core->table.doubt();
      answer.emplace(operation->error(refusal.what()));
    } catch (const std::exception& error) {
      answer.emplace(StoreUnavailableError(operation->name(), error.what(), std::current_exception()));
    }
    operation->forget_timer();
    operation->answer(*std::move(answer));
    core.reset();
    operations->leave(operation);
  }
};

class DynamodbStore final : public IdempotencyStore,
                            public EvidenceStore,
                            public OperatorStore,
                            public StoreMaintenance {
  /// Begins an operation on a table that was found right.
  template <class T, class Work>
  void start(const char* name, Callback<T> done, Work work) {
    core_->start<T>(name, std::move(done), [core = core_.get(), work = std::move(work)](Operation& operation) mutable {
      return after_check<T>(*core, operation, std::move(work));
    });
  }
  template <class T, class Work>
  static Task<T> after_check(Core& core, Operation& operation, Work work) {
    co_await core.table.ready(operation);
    co_return co_await work(core, operation);
  }

  template <class T>
  static T wait(const char* name, const std::function<void(Callback<T>)>& begin) {
    if (detail::InCallback::here()) {
      throw StoreUnavailableError(name, "called inside a callback of the store, which would wait for itself");
    }
    std::promise<Expected<T>> promise;
    auto answer = promise.get_future();
    begin([&promise](Expected<T> result) { promise.set_value(std::move(result)); });
    return answer.get().value();
  }
  template <class T, class Work>
  T ask(const char* name, Work work) const {
    auto& self = const_cast<DynamodbStore&>(*this);
    return wait<T>(name, [&](Callback<T> done) { self.start<T>(name, std::move(done), std::move(work)); });
  }

 public:
  explicit DynamodbStore(DynamodbOptions options)
      : core_(std::make_shared<Core>(detail::complete(std::move(options)))) {}
  DynamodbStore(const DynamodbStore&) = delete;
  DynamodbStore& operator=(const DynamodbStore&) = delete;
  ~DynamodbStore() override { core_->operations->close(); }

  void get(std::string key, WallTime, Callback<std::optional<IdempotencyRecord>> done) override {
    start<std::optional<IdempotencyRecord>>(
        "get", std::move(done), [key = std::move(key)](Core& core, Operation& own) { return core.rows.get(key, own); });
  }
  void reserve(ReserveRequest request, Callback<ReserveResult> done) override {
    start<ReserveResult>("reserve", std::move(done), [request = std::move(request)](Core& core, Operation& own) {
      return core.rows.reserve(request, own);
    });
  }
  void finalize(FinalizeRequest request, Callback<FinalizeResult> done) override {
    start<FinalizeResult>("finalize", std::move(done), [request = std::move(request)](Core& core, Operation& own) {
      return core.rows.finalize(request, own);
    });
  }
  void mark(MarkRequest request, Callback<MarkResult> done) override {
    start<MarkResult>("mark", std::move(done), [request = std::move(request)](Core& core, Operation& own) {
      return core.rows.mark(request, own);
    });
  }
  void settle(FinalizeRequest request, Callback<SettleResult> done) override {
    start<SettleResult>("settle", std::move(done), [request = std::move(request)](Core& core, Operation& own) {
      return core.rows.settle(request, own);
    });
  }

  EvidenceStore* evidence() noexcept override { return this; }
  OperatorStore* operators() noexcept override { return this; }
  StoreMaintenance* maintenance() noexcept override { return this; }
  bool shared() const noexcept override { return true; }
  std::string identity() const override {
    return ask<detail::StoreFacts>("identity", [](Core& core, Operation& own) { return core.table.ready(own); })
        .identity;
  }

  ListPage list(const ListRequest& request) override {
    return ask<ListPage>("list", [&](Core& core, Operation& own) { return core.operators.list(request, own); });
  }
  std::optional<KeyView> show(const std::string& key, WallTime) override {
    return ask<std::optional<KeyView>>("show",
                                       [&](Core& core, Operation& own) { return core.operators.show(key, own); });
  }
  OperatorResult resolve(const ResolveRequest& request) override {
    return ask<OperatorResult>("resolve",
                               [&](Core& core, Operation& own) { return core.operators.resolve(request, own); });
  }
  OperatorResult release(const ReleaseRequest& request) override {
    return ask<OperatorResult>("release",
                               [&](Core& core, Operation& own) { return core.operators.release(request, own); });
  }
  std::size_t purge_expired(std::size_t limit, WallTime) override {
    return ask<std::size_t>("purge",
                            [&](Core& core, Operation& own) { return core.operators.purge_expired(limit, own); });
  }
  StoreStats stats(WallTime) override {
    return ask<StoreStats>("stats", [](Core& core, Operation& own) { return core.operators.stats(own); });
  }
  std::vector<AuditRow> audit(std::size_t limit, const std::optional<std::string>& key) override {
    return ask<std::vector<AuditRow>>(
        "audit", [&](Core& core, Operation& own) { return core.operators.audit(limit, key, own); });
  }

  std::string migration() const override {
    const auto& table = core_->table.name();
    return R"({"CreateTable":)" + detail::create_table_json(table) + R"(,"UpdateTimeToLive":)" +
           detail::time_to_live_json(table) + "}";
  }
  void migrate() override {
    wait<Done>("migrate", [this](Callback<Done> done) {
      core_->start<Done>("migrate", std::move(done),
                         [core = core_.get()](Operation& own) { return core->maintenance.migrate(own); });
    });
  }
  std::vector<StoreFinding> examine() override {
    try {
      return wait<std::vector<StoreFinding>>("examine", [this](Callback<std::vector<StoreFinding>> done) {
        core_->start<std::vector<StoreFinding>>("examine", std::move(done), [core = core_.get()](Operation& own) {
          return core->maintenance.examine(own);
        });
      });
    } catch (const StoreUnavailableError& error) {
      return {{StoreFinding::Level::problem, "table", error.what()}};
    }
  }
  void acknowledge_restore(const OperatorNote& note) override {
    wait<Done>("acknowledge", [this, &note](Callback<Done> done) {
      core_->start<Done>("acknowledge", std::move(done),
                         [core = core_.get(), note](Operation& own) { return acknowledge(*core, note, own); });
    });
  }

 private:
  static Task<Done> acknowledge(Core& core, OperatorNote note, Operation& operation) {
    const auto row = AuditRow{core.api.clock().now(), "", note.who, "acknowledge restore", note.why, "{}"};
    const auto audit = detail::DynamoAudit::json_of(row);
    co_await core.table.acknowledge(audit, operation);
    co_await core.audit.copy(audit, operation);
    co_return Done{};
  }

  std::shared_ptr<Core> core_;
};

}  // namespace

std::shared_ptr<IdempotencyStore> dynamodb_idempotency_store(DynamodbOptions options) {
  return std::make_shared<DynamodbStore>(std::move(options));
}

}  // namespace sms
