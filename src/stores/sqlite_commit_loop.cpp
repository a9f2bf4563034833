#include "stores/sqlite_commit_loop.hpp"

#include <sms/error.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

namespace sms::detail {
namespace {

using std::chrono::milliseconds;

/// Another connection or process holds the database. Nothing is wrong with the operation, nor with the file.
class Busy : public std::exception {};

constexpr auto pause_between_marks = std::chrono::seconds(1);

std::shared_ptr<const Error> unavailable(std::string why, std::exception_ptr cause = nullptr) {
  return std::make_shared<const StoreUnavailableError>("write", std::move(why), std::move(cause));
}

}  // namespace

SqliteCommitLoop::SqliteCommitLoop(const SqliteFile& file, const SqliteOptions& options)
    : file_(file), options_(options), lock_(file.path() + "-lock"), next_mark_(BootClock::now() + pause_between_marks) {
  try {
    const auto held = lock(BootClock::now() + options_.busy_timeout);
    database_ = std::make_unique<SqliteDatabase>(file_, SqliteDatabase::Purpose::write, options_.busy_timeout);
    database_->make_schema();
    history_.begin(*database_);
  } catch (const Busy&) {
    throw StoreUnavailableError("open", "another process holds the database");
  } catch (const SqliteFailure& failure) {
    throw StoreUnavailableError("open", "the tables cannot be made: " + std::string(failure.what()));
  }
}

// Both notify under the lock: as soon as it is given back, a callback may drop the store, and this loop with it.
void SqliteCommitLoop::submit(std::unique_ptr<SqliteOperation> operation) {
  const std::lock_guard lock(mutex_);
  waiting_.push_back(std::move(operation));
  changed_.notify_one();
}

void SqliteCommitLoop::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  changed_.notify_one();
}

void SqliteCommitLoop::run() {
  for (auto batch = next_batch(); !batch.empty(); batch = next_batch()) {
    serve(std::move(batch));
    if (database_ && database_->checkpoint_is_due()) checkpoint();
  }
  checkpoint();  // So that a copy of the file alone has everything.
}

SqliteCommitLoop::Batch SqliteCommitLoop::next_batch() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return stopped_ || !waiting_.empty(); });
  const auto size = static_cast<std::ptrdiff_t>(std::min(waiting_.size(), options_.max_batch));
  Batch batch(std::make_move_iterator(waiting_.begin()), std::make_move_iterator(waiting_.begin() + size));
  waiting_.erase(waiting_.begin(), waiting_.begin() + size);
  return batch;
}

void SqliteCommitLoop::serve(Batch batch) {
  for (std::string_view late = "the operation waited too long for its turn";;
       late = "another process or connection holds the database") {
    drop_late(batch, late);
    if (batch.empty()) return;
    try {
      commit(batch);
      break;
    } catch (const Busy&) {
      recover(false);
      continue;
    } catch (const SqliteFailure& failure) {
      if (recover(failure.fatal()); failure.busy()) continue;
      if (batch.size() == 1) {
        return batch.front()->fail(
            unavailable("SQLite says: " + std::string(failure.what()) + " (" + std::to_string(failure.code()) + ")"));
      }
    } catch (const StoreUnavailableError& error) {
      recover(false);
      for (auto& operation : batch) operation->fail(std::make_shared<const StoreUnavailableError>(error));
      return;
    } catch (...) {
      recover(false);
      if (batch.size() == 1) {
        return batch.front()->fail(unavailable("the operation failed", std::current_exception()));
      }
    }
    // One bad operation must not fail the others: nothing was committed, so each is done anew by itself.
    for (auto& operation : batch) {
      Batch single;
      single.push_back(std::move(operation));
      serve(std::move(single));
    }
    return;
  }
  for (auto& operation : batch) operation->answer();
}

void SqliteCommitLoop::drop_late(Batch& batch, std::string_view why) const {
  const auto late = std::ranges::stable_partition(
      batch, [&](const auto& operation) { return operation->waited() < options_.busy_timeout; });
  const auto error = unavailable(std::string(why));
  for (auto& operation : late) operation->fail(error);
  batch.erase(late.begin(), late.end());
}

void SqliteCommitLoop::commit(std::span<const std::unique_ptr<SqliteOperation>> batch) {
  const auto deadline = batch.front()->asked_at() + options_.busy_timeout;
  const auto held = lock(deadline);
  if (!file_.is_in_place()) {
    throw StoreUnavailableError("write", "the database file was removed or replaced while it was in use");
  }
  if (!database_) open();

  database_->wait_at_most(std::max(std::chrono::ceil<milliseconds>(deadline - BootClock::now()), milliseconds(1)));
  database_->statement("begin immediate").run();
  if (BootClock::now() >= deadline) throw Busy();
  SqliteMark mark = history_.check(*database_);
  for (const auto& operation : batch) {
    operation->execute(*database_);
    // After some errors SQLite rolls back by itself; what follows would be committed alone.
    if (!database_->in_transaction()) throw SqliteFailure(SQLITE_ABORT, "the transaction was rolled back");
  }
  const bool mark_is_due = BootClock::now() >= next_mark_;
  if (mark_is_due) {
    ++mark.commits;
    SqliteHistory::write(*database_, mark);
  }
  database_->statement("commit").run();
  if (database_->in_transaction()) throw SqliteFailure(SQLITE_ABORT, "the transaction was not committed");
  if (mark_is_due) next_mark_ = BootClock::now() + pause_between_marks;
  history_.remember(mark);
}

void SqliteCommitLoop::recover(bool fatal) noexcept {
  try {
    if (database_ && database_->in_transaction()) database_->statement("rollback").run();
  } catch (const std::exception&) {
    fatal = true;
  }
  if (fatal) database_.reset();
}

void SqliteCommitLoop::open() {
  auto opened = std::make_unique<SqliteDatabase>(file_, SqliteDatabase::Purpose::write, options_.busy_timeout);
  history_.check(*opened);
  // After a failed flush the log that the system remembers is not the one on the disk: nothing may build on it.
  opened->empty_log();
  database_ = std::move(opened);
}

void SqliteCommitLoop::checkpoint() noexcept {
  constexpr auto patience = milliseconds(50);
  try {
    const auto held = lock(BootClock::now() + patience);
    if (database_ && file_.is_in_place()) database_->checkpoint();
  } catch (const std::exception&) {
    // Whoever holds the lock makes the next one.
  }
}

SqliteLock::Held SqliteCommitLoop::lock(BootClock::time_point deadline) {
  auto held = lock_.take(deadline);
  if (!held) throw Busy();
  return *std::move(held);
}

}  // namespace sms::detail
