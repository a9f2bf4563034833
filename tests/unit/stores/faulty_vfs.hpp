#pragma once

#include <sqlite3.h>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

namespace sms::tests {

/// The disk below SQLite, which fails on demand: while it lives, it is the default of every connection that is opened.
class FaultyVfs {
 public:
  enum class Call { write, sync };

  FaultyVfs();
  FaultyVfs(const FaultyVfs&) = delete;
  FaultyVfs& operator=(const FaultyVfs&) = delete;
  ~FaultyVfs();

  /// The call fails with this code until `heal`, for the files whose name ends so.
  void fail(Call call, int code, std::string file_suffix = "-wal");
  void heal();
  /// Runs before every sync of a log, on the thread that syncs.
  void before_log_sync(std::function<void()> action);
  /// Syncs of all files so far.
  int syncs() const { return syncs_; }

  int check(Call call, const std::string& file);

 private:
  struct Registration;

  std::mutex mutex_;
  Call failing_call_ = Call::write;
  int failing_code_ = SQLITE_OK;
  std::string failing_suffix_;
  std::function<void()> before_log_sync_;
  std::atomic<int> syncs_{0};
  std::unique_ptr<Registration> registration_;
};

}  // namespace sms::tests
