#include <sms/error.hpp>
#include <sms/operator_store.hpp>
#include <sms/store_maintenance.hpp>
#include <sms/stores/postgres.hpp>

#include "stores/postgres/loop.hpp"
#include "stores/postgres/maintenance.hpp"
#include "stores/postgres/operators.hpp"
#include "stores/postgres/schema.hpp"

#include <memory>
#include <utility>

namespace sms {
namespace {

using detail::PgLink;

constexpr auto operator_timeout = std::chrono::seconds(30);

class PostgresStore final : public IdempotencyStore,
                            public EvidenceStore,
                            public OperatorStore,
                            public StoreMaintenance {
  template <class Work>
  auto guarded(const char* operation, Work work) const {
    try {
      return work();
    } catch (const detail::PgFailure& failure) {
      const auto state = failure.state().empty() ? std::string() : " (" + failure.state() + ")";
      throw StoreUnavailableError(operation, "PostgreSQL: " + std::string(failure.what()) + state);
    }
  }
  /// On a connection of its own: keeps no send waiting.
  template <class Work>
  auto connected(const char* operation, Work work) const {
    return guarded(operation, [&] {
      auto session = home_->open(home_->connect_deadline());
      session.link.set_deadline(BootClock::now() + operator_timeout);
      return work(session.link);
    });
  }

 public:
  explicit PostgresStore(const PostgresOptions& options)
      : home_(std::make_shared<detail::PgHome>(options)), thread_(home_) {}

  void get(std::string key, WallTime, Callback<std::optional<IdempotencyRecord>> done) override {
    thread_.submit(detail::pg_get(std::move(key), std::move(done)));
  }
  void reserve(ReserveRequest request, Callback<ReserveResult> done) override {
    thread_.submit(detail::pg_reserve(std::move(request), std::move(done)));
  }
  void finalize(FinalizeRequest request, Callback<FinalizeResult> done) override {
    thread_.submit(detail::pg_finalize(std::move(request), std::move(done)));
  }
  void mark(MarkRequest request, Callback<MarkResult> done) override {
    thread_.submit(detail::pg_mark(std::move(request), std::move(done)));
  }
  void settle(FinalizeRequest request, Callback<SettleResult> done) override {
    thread_.submit(detail::pg_settle(std::move(request), std::move(done)));
  }

  EvidenceStore* evidence() noexcept override { return this; }
  OperatorStore* operators() noexcept override { return this; }
  StoreMaintenance* maintenance() noexcept override { return this; }
  bool shared() const noexcept override { return true; }
  std::string identity() const override { return home_->identity(); }

  ListPage list(const ListRequest& request) override {
    return connected("list", [&](PgLink& link) { return detail::list_keys(link, request); });
  }
  std::optional<KeyView> show(const std::string& key, WallTime) override {
    return connected("show", [&](PgLink& link) { return detail::show_key(link, key); });
  }
  StoreStats stats(WallTime) override {
    return connected("stats", [](PgLink& link) { return detail::count_keys(link); });
  }
  std::vector<AuditRow> audit(std::size_t limit, const std::optional<std::string>& key) override {
    return connected("audit", [&](PgLink& link) { return detail::read_audit(link, limit, key); });
  }
  OperatorResult resolve(const ResolveRequest& request) override {
    return connected("resolve", [&](PgLink& link) { return detail::resolve_key(link, request); });
  }
  OperatorResult release(const ReleaseRequest& request) override {
    return connected("release", [&](PgLink& link) { return detail::release_key(link, request); });
  }
  std::size_t purge_expired(std::size_t limit, WallTime) override {
    return connected("purge", [&](PgLink& link) { return detail::purge_keys(link, limit); });
  }

  std::string migration() const override {
    std::string text;
    for (const auto& statement : detail::postgres_migration()) text += statement + ";\n";
    return text;
  }
  void migrate() override {
    guarded("migrate", [this] { detail::migrate_store(*home_); });
  }
  std::vector<StoreFinding> examine() override { return detail::examine_store(*home_); }
  void acknowledge_restore(const OperatorNote& note) override {
    guarded("acknowledge_restore", [&] { detail::acknowledge_history(*home_, note); });
  }

 private:
  std::shared_ptr<detail::PgHome> home_;
  detail::PgThread thread_;
};

}  // namespace

std::shared_ptr<IdempotencyStore> postgres_idempotency_store(PostgresOptions options) {
  return std::make_shared<PostgresStore>(options);
}

}  // namespace sms
