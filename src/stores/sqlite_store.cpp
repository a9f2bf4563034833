#include <sms/error.hpp>
#include <sms/operator_store.hpp>
#include <sms/stores/sqlite.hpp>

#include "core/operator_rules.hpp"
#include "stores/sqlite_operators.hpp"
#include "stores/sqlite_rows.hpp"
#include "stores/sqlite_writer.hpp"

#include <future>
#include <memory>
#include <utility>

namespace sms {
namespace {

using detail::SqliteDatabase;
using detail::SqliteOperators;
using detail::SqliteRows;
using std::chrono::milliseconds;

void check(const SqliteOptions& options) {
  if (options.path.empty()) throw ConfigurationError("path of the SQLite store must not be empty");
  if (options.path.find('\0') != std::string::npos)
    throw ConfigurationError("path of the SQLite store must not hold NUL");
  if (options.busy_timeout <= milliseconds(0) || options.busy_timeout > std::chrono::hours(1)) {
    throw ConfigurationError("busy_timeout of the SQLite store must be more than zero and at most one hour");
  }
  if (options.max_batch == 0) throw ConfigurationError("max_batch of the SQLite store must be at least 1");
}

class SqliteStore final : public IdempotencyStore, public EvidenceStore, public OperatorStore {
 public:
  explicit SqliteStore(SqliteOptions options) : writer_(std::make_shared<detail::SqliteWriter>(std::move(options))) {
    writer_->start();
  }
  SqliteStore(const SqliteStore&) = delete;
  SqliteStore& operator=(const SqliteStore&) = delete;
  ~SqliteStore() override { writer_->stop(); }

  void get(std::string key, WallTime now, Callback<std::optional<IdempotencyRecord>> done) override {
    writer_->submit(std::move(done), [key = std::move(key), now](SqliteDatabase& database, milliseconds waited) {
      return SqliteRows(database).get(key, now + waited);
    });
  }
  void reserve(ReserveRequest request, Callback<ReserveResult> done) override {
    writer_->submit(std::move(done), [request = std::move(request)](SqliteDatabase& database, milliseconds waited) {
      auto now_executed = request;
      now_executed.now += waited;
      return SqliteRows(database).reserve(now_executed);
    });
  }
  void finalize(FinalizeRequest request, Callback<FinalizeResult> done) override {
    writer_->submit(std::move(done), [request = std::move(request)](SqliteDatabase& database, milliseconds) {
      return SqliteRows(database).finalize(request);
    });
  }
  void mark(MarkRequest request, Callback<MarkResult> done) override {
    writer_->submit(std::move(done), [request = std::move(request)](SqliteDatabase& database, milliseconds) {
      return SqliteRows(database).mark(request);
    });
  }
  void settle(FinalizeRequest request, Callback<SettleResult> done) override {
    writer_->submit(std::move(done), [request = std::move(request)](SqliteDatabase& database, milliseconds) {
      return SqliteRows(database).settle(request);
    });
  }

  EvidenceStore* evidence() noexcept override { return this; }
  OperatorStore* operators() noexcept override { return this; }
  bool shared() const noexcept override { return true; }
  std::string identity() const override { return writer_->identity(); }

  ListPage list(const ListRequest& request) override {
    return wait<ListPage>([&](SqliteDatabase& database) { return SqliteOperators(database).list(request); });
  }
  std::optional<KeyView> show(const std::string& key, WallTime now) override {
    return wait<std::optional<KeyView>>(
        [&](SqliteDatabase& database) { return SqliteOperators(database).show(key, now); });
  }
  OperatorResult resolve(const ResolveRequest& request) override {
    return wait<OperatorResult>([&](SqliteDatabase& database) {
      return SqliteOperators(database).resolve(request, detail::message_id_of({}));
    });
  }
  OperatorResult release(const ReleaseRequest& request) override {
    return wait<OperatorResult>([&](SqliteDatabase& database) { return SqliteOperators(database).release(request); });
  }
  std::size_t purge_expired(std::size_t limit, WallTime now) override {
    return wait<std::size_t>(
        [&](SqliteDatabase& database) { return SqliteOperators(database).purge_expired(limit, now); });
  }
  StoreStats stats(WallTime now) override {
    return wait<StoreStats>([&](SqliteDatabase& database) { return SqliteOperators(database).stats(now); });
  }
  std::vector<AuditRow> audit(std::size_t limit, const std::optional<std::string>& key) override {
    return wait<std::vector<AuditRow>>(
        [&](SqliteDatabase& database) { return SqliteOperators(database).audit(limit, key); });
  }

 private:
  template <class T, class Work>
  T wait(Work work) {
    std::promise<Expected<T>> promise;
    auto answer = promise.get_future();
    writer_->submit(Callback<T>([&promise](Expected<T> result) { promise.set_value(std::move(result)); }),
                    [work](SqliteDatabase& database, milliseconds) { return work(database); });
    return answer.get().value();
  }

  std::shared_ptr<detail::SqliteWriter> writer_;
};

}  // namespace

std::shared_ptr<IdempotencyStore> sqlite_idempotency_store(SqliteOptions options) {
  check(options);
  return std::make_shared<SqliteStore>(std::move(options));
}

}  // namespace sms
