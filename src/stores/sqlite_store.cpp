#include <sms/error.hpp>
#include <sms/operator_store.hpp>
#include <sms/store_maintenance.hpp>
#include <sms/stores/sqlite.hpp>

#include "stores/sqlite_maintenance.hpp"
#include "stores/sqlite_operators.hpp"
#include "stores/sqlite_reader.hpp"
#include "stores/sqlite_rows.hpp"
#include "stores/sqlite_schema.hpp"
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

const SqliteOptions& checked(const SqliteOptions& options) {
  if (options.path.empty()) throw ConfigurationError("path of the SQLite store must not be empty");
  if (options.path.find('\0') != std::string::npos) {
    throw ConfigurationError("path of the SQLite store must not hold NUL");
  }
  if (options.busy_timeout <= milliseconds(0) || options.busy_timeout > std::chrono::hours(1)) {
    throw ConfigurationError("busy_timeout of the SQLite store must be more than zero and at most one hour");
  }
  if (options.max_batch == 0) throw ConfigurationError("max_batch of the SQLite store must be at least 1");
  return options;
}

class SqliteStore final : public IdempotencyStore, public EvidenceStore, public OperatorStore, public StoreMaintenance {
  /// On a connection of its own: a long list keeps no send waiting.
  template <class Work>
  auto read(const char* operation, Work work) {
    try {
      SqliteDatabase database(file_, SqliteDatabase::Purpose::read, busy_timeout_);
      writer_.history().check(database);
      return work(database);
    } catch (const detail::SqliteFailure& failure) {
      throw StoreUnavailableError(operation, "SQLite says: " + std::string(failure.what()));
    }
  }

  template <class T, class Work>
  T change(const char* operation, Work work) {
    if (writer_.is_this_thread()) {
      throw StoreUnavailableError(operation, "called inside a callback of the store, which would wait for itself");
    }
    std::promise<Expected<T>> promise;
    auto answer = promise.get_future();
    writer_.submit(Callback<T>([&promise](Expected<T> result) { promise.set_value(std::move(result)); }),
                   [&work](SqliteDatabase& database, milliseconds) { return work(database); });
    return answer.get().value();
  }

 public:
  explicit SqliteStore(const SqliteOptions& options)
      : busy_timeout_(checked(options).busy_timeout),
        file_(options.path),
        writer_(file_, options),
        reader_(file_, writer_.history()) {}

  void get(std::string key, WallTime now, Callback<std::optional<IdempotencyRecord>> done) override {
    if (auto answer = reader_.get(key, now)) return done(*std::move(answer));
    writer_.submit(std::move(done), [key = std::move(key), now](SqliteDatabase& database, milliseconds waited) {
      const auto row = detail::find_row(database, key);
      return row && !row->expired(now + waited) ? std::optional(detail::record_of(*row)) : std::nullopt;
    });
  }
  void reserve(ReserveRequest request, Callback<ReserveResult> done) override {
    if (auto existing = reader_.existing(request)) return done(ReserveResult(*std::move(existing)));
    writer_.submit(std::move(done), [request = std::move(request)](SqliteDatabase& database, milliseconds waited) {
      auto executed = request;
      executed.now += waited;
      return SqliteRows(database).reserve(executed);
    });
  }
  void finalize(FinalizeRequest request, Callback<FinalizeResult> done) override {
    writer_.submit(std::move(done), [request = std::move(request)](SqliteDatabase& database, milliseconds) {
      return SqliteRows(database).finalize(request);
    });
  }
  void mark(MarkRequest request, Callback<MarkResult> done) override {
    writer_.submit(std::move(done), [request = std::move(request)](SqliteDatabase& database, milliseconds) {
      return SqliteRows(database).mark(request);
    });
  }
  void settle(FinalizeRequest request, Callback<SettleResult> done) override {
    writer_.submit(std::move(done), [request = std::move(request)](SqliteDatabase& database, milliseconds) {
      return SqliteRows(database).settle(request);
    });
  }

  EvidenceStore* evidence() noexcept override { return this; }
  OperatorStore* operators() noexcept override { return this; }
  StoreMaintenance* maintenance() noexcept override { return this; }
  bool shared() const noexcept override { return true; }
  std::string identity() const override { return writer_.history().identity(); }

  ListPage list(const ListRequest& request) override {
    return read("list", [&](SqliteDatabase& database) { return detail::list_keys(database, request); });
  }
  std::optional<KeyView> show(const std::string& key, WallTime now) override {
    return read("show", [&](SqliteDatabase& database) { return detail::show_key(database, key, now); });
  }
  StoreStats stats(WallTime now) override {
    return read("stats", [&](SqliteDatabase& database) { return detail::count_keys(database, now); });
  }
  std::vector<AuditRow> audit(std::size_t limit, const std::optional<std::string>& key) override {
    return read("audit", [&](SqliteDatabase& database) { return detail::read_audit(database, limit, key); });
  }
  OperatorResult resolve(const ResolveRequest& request) override {
    return change<OperatorResult>("resolve",
                                  [&](SqliteDatabase& database) { return SqliteOperators(database).resolve(request); });
  }
  OperatorResult release(const ReleaseRequest& request) override {
    return change<OperatorResult>("release",
                                  [&](SqliteDatabase& database) { return SqliteOperators(database).release(request); });
  }
  std::size_t purge_expired(std::size_t limit, WallTime now) override {
    return change<std::size_t>(
        "purge", [&](SqliteDatabase& database) { return SqliteOperators(database).purge_expired(limit, now); });
  }

  std::string migration() const override { return sqlite_migration(); }
  std::vector<StoreFinding> examine() override {
    auto findings = detail::examine_file(file_);
    try {
      change<Done>("examine", [&](SqliteDatabase& database) {
        for (auto& finding : detail::examine_database(database)) findings.push_back(std::move(finding));
        return Done{};
      });
    } catch (const StoreUnavailableError& error) {
      findings.push_back({StoreFinding::Level::problem, "writing", error.what()});
    }
    return findings;
  }
  void acknowledge_restore(const OperatorNote& note) override {
    detail::acknowledge_restore(file_, busy_timeout_, note);
  }

 private:
  milliseconds busy_timeout_;
  detail::SqliteFile file_;
  detail::SqliteWriter writer_;
  detail::SqliteReader reader_;
};

}  // namespace

std::string sqlite_migration() { return detail::sqlite_schema; }

std::shared_ptr<IdempotencyStore> sqlite_idempotency_store(SqliteOptions options) {
  return std::make_shared<SqliteStore>(options);
}

}  // namespace sms
