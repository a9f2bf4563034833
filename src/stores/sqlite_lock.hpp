#pragma once

#include <chrono>
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
    explicit Held(int file) noexcept : file_(file) {}
    Held(Held&& other) noexcept;
    Held& operator=(Held&&) = delete;
    ~Held();

   private:
    int file_;
  };
  /// Throws `StoreUnavailableError` when another process holds it until `deadline`.
  Held take(std::chrono::steady_clock::time_point deadline);

 private:
  bool try_lock(int place) const;

  int file_;
};

}  // namespace sms::detail
