#pragma once

#include <sms/clock.hpp>

#include "stores/postgres/connection_info.hpp"
#include "stores/postgres/failure.hpp"
#include "stores/postgres/parameters.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct pg_conn;
struct pg_result;

namespace sms::detail {

/// The rows of one statement.
class PgResult {
 public:
  explicit PgResult(pg_result* result) : result_(result) {}
  int rows() const;
  std::string text(int row, int column) const;
  std::optional<std::string> text_if(int row, int column) const;
  std::int64_t integer(int row, int column) const;
  std::optional<std::int64_t> integer_if(int row, int column) const;
  bool boolean(int row, int column) const;
  int affected() const;
  bool failed() const;
  /// Of a failed statement.
  PgFailure failure() const;

 private:
  struct Clearer {
    void operator()(pg_result* result) const;
  };
  std::unique_ptr<pg_result, Clearer> result_;
};

/// One connection. Never blocks but where it says so, and then not beyond a deadline.
class PgLink {
 public:
  using TimePoint = BootClock::time_point;

  /// Blocks (also for the resolver, beyond the deadline) until connected. `stop`: a descriptor that becomes readable
  /// when waiting is of no use any more; -1 for none.
  PgLink(const PgConnectionInfo& info, TimePoint deadline, int stop = -1);

  /// Sends a statement whose result `advance` collects. `read_committed`: in a transaction of that isolation of its
  /// own. Throws `PgFailure`.
  void send(const std::string& sql, const PgParameters& parameters, bool read_committed = false);
  int descriptor() const;
  /// For poll(2).
  short events() const;
  /// Does what can be done without waiting; false while the result is outstanding. Throws `PgFailure` when the
  /// connection is lost.
  bool advance();
  /// After `advance` said true: what failed, or the rows. Throws `PgFailure` where the server warned of its commit.
  PgResult take();

  /// Blocks until the result is there. Throws `PgFailure`, also for a failed statement.
  PgResult run(const std::string& sql, const PgParameters& parameters = {}, TimePoint deadline = TimePoint::max());
  void set_deadline(TimePoint deadline) { deadline_ = deadline; }
  /// In a transaction that failed, or still open: must not be used again.
  bool clean() const;

 private:
  struct Closer {
    void operator()(pg_conn* connection) const;
  };
  void wait(short events, TimePoint deadline, int stop) const;
  [[noreturn]] void lost() const;

  std::unique_ptr<bool> warned_ = std::make_unique<bool>(false);
  std::unique_ptr<pg_conn, Closer> connection_;
  std::unique_ptr<PgResult> result_;
  TimePoint deadline_;
  int stop_;
  bool unsent_ = false;
  bool pipeline_ = false;
};

}  // namespace sms::detail
