#pragma once

#include <sms/stores/postgres.hpp>

#include "stores/postgres/checks.hpp"
#include "stores/postgres/link.hpp"

#include <mutex>
#include <string>

namespace sms::detail {

/// A connection to a server that passed the checks.
struct PgSession {
  PgLink link;
  PgServer server;
};

/// The way to the server of a store. Thread-safe.
class PgHome {
 public:
  explicit PgHome(const PostgresOptions& options);

  const PostgresOptions& options() const noexcept { return options_; }
  /// Blocks. Throws `PgFailure`, and `PgRefusal` for a server that may not be used.
  PgSession open(BootClock::time_point deadline, int stop = -1);
  /// Whatever the server is.
  PgLink connect(BootClock::time_point deadline, int stop = -1) const;
  std::string identity();
  BootClock::time_point connect_deadline() const { return BootClock::now() + options_.connect_timeout; }

 private:
  PostgresOptions options_;
  PgConnectionInfo info_;
  std::mutex mutex_;
  std::string identity_;  ///< Of the first server that passed.
};

}  // namespace sms::detail
