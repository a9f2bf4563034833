#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sms::detail {

/// How the store calls what it keeps on the server. What belongs to one key has one hash tag, so that a cluster keeps
/// it together.
class RedisNames {
 public:
  explicit RedisNames(std::string prefix) : prefix_(std::move(prefix)) {}

  std::string key(std::string_view key) const { return prefix_ + "key:{" + tag(key) + "}"; }
  std::string audit(std::string_view key) const { return prefix_ + "audit:{" + tag(key) + "}"; }
  /// Identity, restores, the largest `stale_reservation`.
  std::string store() const { return prefix_ + "{store}"; }
  std::string store_audit() const { return prefix_ + "{store}:audit"; }
  /// What one writer has written so far.
  std::string mark(std::string_view writer) const { return prefix_ + "{store}:mark:" + std::string(writer); }

  /// Patterns of SCAN.
  std::string all_keys() const { return pattern("key:{"); }
  std::string all_audits() const { return pattern("audit:{"); }
  /// The key that a name of `all_keys` or `all_audits` is about.
  std::optional<std::string> key_of(std::string_view name) const;

 private:
  static std::string tag(std::string_view key);
  std::string pattern(std::string_view kind) const;

  std::string prefix_;
};

/// Which part of a cluster keeps a name.
std::uint16_t redis_slot(std::string_view name) noexcept;

}  // namespace sms::detail
