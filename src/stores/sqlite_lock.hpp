#pragma once

#include <sms/clock.hpp>

#include <optional>
#include <string>

namespace sms::detail {

/// The advisory lock beside a database file: one writer, or one checkpoint, at a time over all processes. SQLite
/// before 3.51.3 can damage a WAL file when one connection writes while another one resets it.
///
/// Two locks in one file: whoever waits for the second holds the first, so that a process which has just released
/// cannot overtake one that waits.
class SqliteLock {
 public:
  /// Throws `StoreUnavailableError` when the lock file cannot be opened.
  explicit SqliteLock(const std::string& path);
  SqliteLock(const SqliteLock&) = delete;
  SqliteLock& operator=(const SqliteLock&) = delete;
  ~SqliteLock();

  /// Holds the lock until it goes.
  class Held {
   public:
    Held(int file, int place) noexcept : file_(file), place_(place) {}
    Held(Held&& other) noexcept;
    Held& operator=(Held&&) = delete;
    ~Held();

   private:
    int file_;
    int place_;
  };
  /// Absent when somebody else holds the lock until `deadline`. Throws `StoreUnavailableError` when it cannot be told.
  std::optional<Held> take(BootClock::time_point deadline);

 private:
  bool try_lock(int place) const;

  int file_;
};

}  // namespace sms::detail
