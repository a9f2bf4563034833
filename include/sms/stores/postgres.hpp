#pragma once

#include <sms/idempotency.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace sms {

struct PostgresOptions {
  /// As libpq takes it: a URI or `keyword=value` pairs. May hold a password; no error and no log repeats it.
  std::string conninfo;
  /// How long an operation may take in all, connecting and repeating included. Afterwards it is
  /// `StoreUnavailableError`, and the server does not execute it any more. Keep it below the client's `store_timeout`.
  std::chrono::milliseconds operation_timeout{4'000};
  std::chrono::milliseconds connect_timeout{3'000};  ///< Of one attempt, resolving names and the first checks included.
  std::size_t connections = 4;                       ///< At most; opened when they are needed. 1 to 64.
  std::size_t max_batch = 64;                        ///< Keys in one statement at most. 1 to 1,000.
  /// What happens when the server's history is another one than the store was set up on or acknowledged: after a
  /// failover or a restore claims may be missing.
  enum class AfterFailover {
    refuse,  ///< Every operation is `StoreUnavailableError` until an operator acknowledges it.
    accept   ///< Goes on; `examine` warns.
  };
  AfterFailover after_failover = AfterFailover::refuse;
};

/// Options of a URL: `postgres://...` or `postgresql://...` as libpq reads URIs, or `postgres:?host=...&dbname=...`
/// with libpq's keywords (also `postgres:?host=... dbname=...`). The parameters `operation_timeout` and
/// `connect_timeout` (as `4s` or `500ms`; a bare number is seconds), `connections`, `max_batch` and `after_failover`
/// are taken for the options above. Throws `ConfigurationError`, which does not repeat the URL.
PostgresOptions postgres_options(std::string_view url);

/// Keeps keys in PostgreSQL 12 or later, for many machines, in the table `sms_idempotency` that the TypeScript SDK of
/// the same contract uses, too. The table must be there: `maintenance()->migrate()`, or the command
/// `sms-sdk keys migrate`.
///
/// One thread per store serves a small pool of connections and sends waiting operations together, without delay; a
/// second one connects. Unnamed statements alone, no session state: works through pgbouncer in transaction mode. Goes
/// by the server's clock; the `now` of its callers is ignored. Has the evidence, the operators' and the maintenance
/// interfaces; those of operators and maintenance connect anew for each call.
///
/// Construction does not connect. Every connection is checked first (version, no read replica, schema, identity,
/// history); until one passes, operations are `StoreUnavailableError` with the reason.
///
/// `record` is jsonb, which cannot hold U+0000: U+FFFD is stored instead. A key that is not UTF-8 or holds U+0000 is
/// `StoreUnavailableError`. Destruction answers what is outstanding with `StoreUnavailableError`.
///
/// Throws `ConfigurationError` for options that cannot work.
std::shared_ptr<IdempotencyStore> postgres_idempotency_store(PostgresOptions options);

/// SQL that makes a trigger for tables which other implementations write, too: it leaves a row as it is where somebody
/// claims it anew although it is reserved, unknown, or accepted and not expired by the server's clock. So a TypeScript
/// instance whose clock is ahead cannot take a key over early. Optional, idempotent; run it as the owner of the table.
std::string postgres_guard_sql();

}  // namespace sms
