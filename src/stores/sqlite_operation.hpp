#pragma once

#include <sms/clock.hpp>
#include <sms/expected.hpp>

#include "stores/sqlite_database.hpp"

#include <chrono>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

namespace sms::detail {

/// One operation of a batch. `execute` may run more than once, when a batch has to be redone; it is answered once.
class SqliteOperation {
 public:
  SqliteOperation() = default;
  SqliteOperation(const SqliteOperation&) = delete;
  SqliteOperation& operator=(const SqliteOperation&) = delete;
  virtual ~SqliteOperation() = default;

  /// Throws when the transaction cannot go on.
  virtual void execute(SqliteDatabase& database) = 0;
  virtual void answer() = 0;
  virtual void fail(const std::shared_ptr<const Error>& error) = 0;

  /// How long ago it was asked for, by a clock that counts suspension.
  std::chrono::nanoseconds waited() const { return BootClock::now() - asked_at_; }
  BootClock::time_point asked_at() const { return asked_at_; }

 private:
  BootClock::time_point asked_at_ = BootClock::now();
};

/// Runs `work(database, waited)`, whose value goes to `done`. An `Error` that it throws, before it wrote anything, is
/// its answer.
template <class T, class Work>
class TypedSqliteOperation final : public SqliteOperation {
 public:
  TypedSqliteOperation(Callback<T> done, Work work) : done_(std::move(done)), work_(std::move(work)) {}

  void execute(SqliteDatabase& database) override {
    try {
      result_.emplace(work_(database, std::chrono::floor<std::chrono::milliseconds>(waited())));
    } catch (const StoreUnavailableError& error) {
      result_.emplace(error);
    }
  }
  void answer() override { done_(std::move(*result_)); }
  void fail(const std::shared_ptr<const Error>& error) override { done_(error); }

 private:
  Callback<T> done_;
  Work work_;
  std::optional<Expected<T>> result_;
};

}  // namespace sms::detail
