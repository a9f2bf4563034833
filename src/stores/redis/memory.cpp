#include "stores/redis/memory.hpp"

#include <sms/entropy.hpp>

#include "stores/redis/scripts.hpp"

#include <charconv>

namespace sms::detail {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;

// A writer that has written nothing for so long is forgotten by the server, and a day before that by itself.
constexpr hours mark_life{24 * 30};

constexpr const char* until = ": nothing is sent until an operator acknowledges that it was restored";
const std::string lost_writes = "the server has lost writes that it had answered";

std::int64_t number(const RespValue& value) {
  std::int64_t read = 0;
  std::from_chars(value.text.data(), value.text.data() + value.text.size(), read);
  return read;
}

struct Joined {
  std::string identity;
  std::int64_t restored_at;
  std::int64_t mark;
  milliseconds stale_reservation;
};

Joined read_join(const RespValue& answer) {
  if (answer.items.size() != 8) throw RedisLinkFailure("the store's own data cannot be read");
  return {answer.items[4].text, number(answer.items[5]), number(answer.items[6]),
          milliseconds(number(answer.items[7]))};
}

}  // namespace

std::string draw_hex() {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string hex;
  for (const auto byte : system_entropy()->draw()) {
    hex += digits[byte >> 4U];
    hex += digits[byte & 15U];
  }
  return hex;
}

RedisMemory::RedisMemory(const RedisNames& names) : names_(names), writer_(draw_hex()), drawn_identity_(draw_hex()) {}

std::string RedisMemory::candidate() const {
  const std::lock_guard lock(mutex_);
  return known_ ? std::string() : drawn_identity_;
}

std::string RedisMemory::identity() const {
  const std::lock_guard lock(mutex_);
  return known_ ? known_->identity : std::string();
}

std::int64_t RedisMemory::restored_at() const {
  const std::lock_guard lock(mutex_);
  return known_ ? known_->restored_at : 0;
}

milliseconds RedisMemory::stale_reservation() const {
  const std::lock_guard lock(mutex_);
  return stale_reservation_;
}

RedisCommand RedisMemory::join_command() const {
  return {"EVAL", RedisScripts::join().text, "2", names_.store(), names_.mark(writer_), writer_, "", candidate()};
}

std::optional<std::string> RedisMemory::loss(const Known& now, std::int64_t mark) const {
  if (!known_ || now.restored_at > known_->restored_at) return std::nullopt;
  if (now.identity.empty()) return "the server has lost the store" + std::string(until);
  if (now.identity != known_->identity) return "this is another store than before" + std::string(until);
  const bool forgotten = BootClock::now() - marked_at_ > mark_life - hours(24);
  if (now.restored_at < known_->restored_at || (mark < answered_ && !forgotten))
    return lost_writes + std::string(until);
  return std::nullopt;
}

std::optional<std::string> RedisMemory::judge(const RespValue& answer) {
  const auto joined = read_join(answer);
  const std::lock_guard lock(mutex_);
  const Known now{joined.identity, joined.restored_at};
  if (auto lost = loss(now, joined.mark)) return lost;
  known_ = now;
  sent_ = answered_ = joined.mark;
  stale_reservation_ = joined.stale_reservation;
  return std::nullopt;
}

std::optional<std::string> RedisMemory::check(const RespValue& answer) {
  const auto joined = read_join(answer);
  const std::lock_guard lock(mutex_);
  const Known now{joined.identity, joined.restored_at};
  if (auto lost = loss(now, joined.mark)) return lost;
  if (!known_) known_ = now;
  stale_reservation_ = joined.stale_reservation;
  return std::nullopt;
}

RedisMemory::Mark RedisMemory::next_mark() {
  const std::lock_guard lock(mutex_);
  const auto life = std::to_string(std::chrono::duration_cast<milliseconds>(mark_life).count());
  ++sent_;
  return {{"SET", names_.mark(writer_), std::to_string(sent_), "PX", life, "GET"}, sent_};
}

std::optional<std::string> RedisMemory::judge_mark(std::int64_t mark, const RespValue& answer) {
  const std::lock_guard lock(mutex_);
  const bool forgotten = BootClock::now() - marked_at_ > mark_life - hours(24);
  // Marks between may have been refused.
  if (number(answer) < answered_ && !(forgotten && number(answer) == 0)) {
    return lost_writes + std::string(until);
  }
  answered_ = mark;
  marked_at_ = BootClock::now();
  return std::nullopt;
}

}  // namespace sms::detail
