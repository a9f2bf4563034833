#pragma once

#include <string>

namespace sms::detail {

/// A script as the server knows it.
struct RedisScript {
  std::string text;
  std::string sha;  ///< SHA-1 of the text, in hex.

  explicit RedisScript(std::string text);
};

/// Every script answers `{KEYS[1], ARGV[1], now in ms, word, ...}`: the question it belongs to, the server's clock and
/// what became of it. ARGV[1] tells this very write from all others, also where it is repeated after a lost answer;
/// from ARGV[2], in ms of the server's clock, the script does nothing any more. KEYS[1] is a key's hash.
struct RedisScripts {
  static const RedisScript& get();
  static const RedisScript& reserve();   ///< reservation ID, fingerprint
  static const RedisScript& finalize();  ///< reservation ID, fingerprint, state, record, ttl, send_at, provider ID
  static const RedisScript& settle();    ///< as `finalize`, provider
  static const RedisScript& mark();      ///< reservation ID, record
  static const RedisScript& resolve();   ///< as `finalize`, then the row as it was seen; KEYS[2]: audit
  static const RedisScript& release();   ///< audit row, then the row as it was seen; KEYS[2]: audit
  static const RedisScript& purge();
  // KEYS[1] is the hash of the store.
  static const RedisScript& join();         ///< an identity to take where there is none; KEYS[2]: mark
  static const RedisScript& raise();        ///< stale_reservation in ms
  static const RedisScript& acknowledge();  ///< an identity to take where there is none, audit row; KEYS[2]: audit
};

/// The fields of a row in the order in which scripts answer it.
inline constexpr const char* redis_row_fields[] = {"state",  "fingerprint", "reservation_id", "reserved_at",
                                                   "record", "expires_at",  "updated_at",     "version"};

}  // namespace sms::detail
