#pragma once

#include <sms/clock.hpp>

#include "stores/redis/names.hpp"
#include "stores/redis/resp.hpp"

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

namespace sms::detail {

/// What this process remembers of its store, to notice when the store goes back in time: its identity, when an
/// operator last acknowledged a restore, and how often this writer has written. Thread-safe.
class RedisMemory {
 public:
  explicit RedisMemory(const RedisNames& names);

  /// Of this object, among all that ever wrote.
  const std::string& writer() const noexcept { return writer_; }
  /// The identity that the store takes where it has none; empty once one is known, since then it must have one.
  std::string candidate() const;
  std::string identity() const;
  std::int64_t restored_at() const;
  std::chrono::milliseconds stale_reservation() const;

  /// The command that joins the store, as `RedisScripts::join` wants it.
  RedisCommand join_command() const;
  /// Takes what the store answered to it. What it says where the store is another one than before, or an earlier one.
  std::optional<std::string> judge(const RespValue& answer);

  /// The same for another connection than the one that writes.
  std::optional<std::string> check(const RespValue& answer);

  struct Mark {
    RedisCommand command;
    std::int64_t number;
  };
  /// Counts up on the server after what was just written: once it is answered, nothing before it can go unnoticed.
  Mark next_mark();
  /// The same as `judge` for the answer to a mark.
  std::optional<std::string> judge_mark(std::int64_t number, const RespValue& answer);

 private:
  struct Known {
    std::string identity;
    std::int64_t restored_at = 0;
  };

  std::optional<std::string> loss(const Known& now, std::int64_t mark) const;

  const RedisNames& names_;
  std::string writer_;
  std::string drawn_identity_;
  mutable std::mutex mutex_;
  std::optional<Known> known_;
  std::int64_t sent_ = 0;
  std::int64_t answered_ = 0;
  BootClock::time_point marked_at_{};
  std::chrono::milliseconds stale_reservation_{0};
};

/// 32 random hex digits.
std::string draw_hex();

}  // namespace sms::detail
