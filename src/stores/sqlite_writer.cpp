#include "stores/sqlite_writer.hpp"

#include <sms/error.hpp>

#include <algorithm>
#include <iterator>

namespace sms::detail {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

StoreUnavailableError unavailable(const SqliteFailure& failure) {
  return {"write", "SQLite says: " + failure.what() + " (" + std::to_string(failure.code()) + ")"};
}

}  // namespace

SqliteWriter::SqliteWriter(SqliteOptions options)
    : options_(std::move(options)),
      database_(std::make_unique<SqliteDatabase>(options_)),
      identity_(database_->identity()) {}

void SqliteWriter::start() {
  thread_ = std::thread([self = shared_from_this()] { self->run(); });
}

void SqliteWriter::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_one();
  if (thread_.get_id() == std::this_thread::get_id()) {
    thread_.detach();
  } else {
    thread_.join();
  }
}

void SqliteWriter::submit(std::unique_ptr<SqliteOperation> operation) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(operation));
  }
  changed_.notify_one();
}

void SqliteWriter::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return stopped_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    Batch batch;
    const auto size = std::min(waiting_.size(), options_.max_batch);
    const auto end = waiting_.begin() + static_cast<std::ptrdiff_t>(size);
    std::move(waiting_.begin(), end, std::back_inserter(batch));
    waiting_.erase(waiting_.begin(), end);
    lock.unlock();
    serve(std::move(batch));
    lock.lock();
  }
}

void SqliteWriter::serve(Batch batch) {
  // Its caller has given up: what nobody waits for must not be done any more.
  const auto oldest = steady_clock::now() - options_.busy_timeout;
  const auto late = std::ranges::stable_partition(batch, [&](const auto& one) { return one->asked_at > oldest; });
  for (auto& operation : late) operation->fail({"queue", "the operation waited too long and was not executed"});
  batch.erase(late.begin(), late.end());
  if (batch.empty()) return;

  try {
    commit(batch);
  } catch (const SqliteFailure& failure) {
    recover(failure);
    if (batch.size() == 1) return batch.front()->fail(unavailable(failure));
    // One bad operation must not fail the others: nothing was committed, so each is done anew by itself.
    for (auto& operation : batch) {
      Batch single;
      single.push_back(std::move(operation));
      serve(std::move(single));
    }
    return;
  } catch (const StoreUnavailableError& error) {
    for (auto& operation : batch) operation->fail(error);
    return;
  }
  for (auto& operation : batch) operation->answer();
}

void SqliteWriter::commit(std::span<const std::unique_ptr<SqliteOperation>> batch) {
  if (!database_) reopen();
  const auto deadline = batch.front()->asked_at + options_.busy_timeout;
  const auto held = database_->lock(deadline);
  database_->execute("begin immediate");
  for (const auto& operation : batch) {
    operation->execute(*database_, std::chrono::floor<milliseconds>(steady_clock::now() - operation->asked_at));
    if (!database_->in_transaction()) throw SqliteFailure(0, "the transaction was rolled back");
  }
  database_->execute("commit");
  if (database_->in_transaction()) throw SqliteFailure(0, "the transaction was not committed");
  database_->checkpoint_when_due();
}

void SqliteWriter::recover(const SqliteFailure& failure) {
  try {
    if (database_ && database_->in_transaction()) database_->execute("rollback");
    if (!failure.fatal()) return;
  } catch (const SqliteFailure&) {
    // Opened anew below.
  }
  // After a failed write or flush, what this connection believes of the file is not what is on the disk.
  database_.reset();
}

void SqliteWriter::reopen() {
  auto opened = std::make_unique<SqliteDatabase>(options_);
  if (opened->identity() != identity_) throw StoreUnavailableError("open", "the file holds another store than before");
  database_ = std::move(opened);
}

}  // namespace sms::detail
