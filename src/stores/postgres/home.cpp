#include "stores/postgres/home.hpp"

#include <sms/error.hpp>

namespace sms::detail {
namespace {

using std::chrono::milliseconds;

const PostgresOptions& checked(const PostgresOptions& options) {
  const auto in_range = [](milliseconds value) { return value > milliseconds(0) && value <= std::chrono::hours(1); };
  if (!in_range(options.operation_timeout)) {
    throw ConfigurationError("operation_timeout of the PostgreSQL store must be more than zero and at most one hour");
  }
  if (!in_range(options.connect_timeout)) {
    throw ConfigurationError("connect_timeout of the PostgreSQL store must be more than zero and at most one hour");
  }
  if (options.connections < 1 || options.connections > 64) {
    throw ConfigurationError("connections of the PostgreSQL store must be 1 to 64");
  }
  if (options.max_batch < 1 || options.max_batch > 1'000) {
    throw ConfigurationError("max_batch of the PostgreSQL store must be 1 to 1,000");
  }
  if (options.conninfo.find('\0') != std::string::npos) {
    throw ConfigurationError("conninfo of the PostgreSQL store must not hold NUL");
  }
  return options;
}

}  // namespace

PgHome::PgHome(const PostgresOptions& options)
    : options_(checked(options)), info_(parse_connection_info(options.conninfo, options.operation_timeout)) {}

PgLink PgHome::connect(BootClock::time_point deadline, int stop) const { return PgLink(info_, deadline, stop); }

PgSession PgHome::open(BootClock::time_point deadline, int stop) {
  auto link = connect(deadline, stop);
  auto server = look_at(link);
  check_server(server);
  if (!server.value(std::string(history_name)) && !server.history.empty()) {
    link.run("insert into sms_store (name, value) values ($1, $2) on conflict (name) do nothing",
             PgParameters().text(history_name).text(server.history));
  }
  if (server.moved() && options_.after_failover == PostgresOptions::AfterFailover::refuse) {
    throw PgRefusal(
        "the server's history is another one than before (failover or restore), so that claims may be missing; "
        "run: sms-sdk keys acknowledge-restore");
  }
  {
    const std::lock_guard lock(mutex_);
    if (identity_.empty()) identity_ = server.identity();
    if (identity_ != server.identity()) throw PgRefusal("another store than before answers there");
  }
  return {std::move(link), std::move(server)};
}

std::string PgHome::identity() {
  {
    const std::lock_guard lock(mutex_);
    if (!identity_.empty()) return identity_;
  }
  try {
    return open(connect_deadline()).server.identity();
  } catch (const PgFailure& failure) {
    throw StoreUnavailableError("identity", std::string("PostgreSQL: ") + failure.what());
  }
}

}  // namespace sms::detail
