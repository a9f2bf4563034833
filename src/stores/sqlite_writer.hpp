#pragma once

#include <sms/expected.hpp>
#include <sms/stores/sqlite.hpp>

#include "stores/sqlite_database.hpp"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace sms::detail {

/// One operation of a batch. `execute` may run more than once, when a batch has to be redone; it is answered once.
class SqliteOperation {
 public:
  SqliteOperation() = default;
  SqliteOperation(const SqliteOperation&) = delete;
  SqliteOperation& operator=(const SqliteOperation&) = delete;
  virtual ~SqliteOperation() = default;

  /// `waited`: how long ago it was asked for. Throws `SqliteFailure` when the transaction cannot go on.
  virtual void execute(SqliteDatabase& database, std::chrono::milliseconds waited) = 0;
  virtual void answer() = 0;
  virtual void fail(const StoreUnavailableError& error) = 0;

  std::chrono::steady_clock::time_point asked_at = std::chrono::steady_clock::now();
};

/// The one thread that uses the file. It takes all waiting operations into one transaction and answers them after its
/// COMMIT has returned: one flush of the disk for many callers.
class SqliteWriter : public std::enable_shared_from_this<SqliteWriter> {
 public:
  explicit SqliteWriter(SqliteOptions options);
  SqliteWriter(const SqliteWriter&) = delete;
  SqliteWriter& operator=(const SqliteWriter&) = delete;

  void start();
  /// Serves what was submitted, then ends the thread, which keeps this object until then. May be called on the thread
  /// itself.
  void stop();

  void submit(std::unique_ptr<SqliteOperation> operation);

  /// Submits `work(database, waited)`, whose value goes to `done`. What it throws as an `Error` is its answer.
  template <class T, class Work>
  void submit(Callback<T> done, Work work) {
    submit(std::make_unique<Typed<T, Work>>(std::move(done), std::move(work)));
  }

  const std::string& identity() const noexcept { return identity_; }

 private:
  using Batch = std::vector<std::unique_ptr<SqliteOperation>>;

  template <class T, class Work>
  class Typed final : public SqliteOperation {
   public:
    Typed(Callback<T> done, Work work) : done_(std::move(done)), work_(std::move(work)) {}
    void execute(SqliteDatabase& database, std::chrono::milliseconds waited) override {
      try {
        result_.emplace(work_(database, waited));
      } catch (const StoreUnavailableError& error) {
        result_.emplace(error);
      }
    }
    void answer() override { done_(std::move(*result_)); }
    void fail(const StoreUnavailableError& error) override { done_(error); }

   private:
    Callback<T> done_;
    Work work_;
    std::optional<Expected<T>> result_;
  };

  void run();
  void serve(Batch batch);
  /// Runs the operations in one transaction. Throws `SqliteFailure` or `StoreUnavailableError` with nothing committed.
  void commit(std::span<const std::unique_ptr<SqliteOperation>> batch);
  void recover(const SqliteFailure& failure);
  void reopen();

  SqliteOptions options_;
  std::unique_ptr<SqliteDatabase> database_;
  std::string identity_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::unique_ptr<SqliteOperation>> waiting_;
  bool stopped_ = false;
  std::thread thread_;
};

}  // namespace sms::detail
