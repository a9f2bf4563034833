#include "stores/sqlite_lock.hpp"

#include <sms/error.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <thread>
#include <utility>

namespace sms::detail {
namespace {

constexpr int turnstile_place = 0;
constexpr int database_place = 1;

constexpr auto first_pause = std::chrono::microseconds(50);
constexpr auto longest_pause = std::chrono::milliseconds(2);
constexpr auto longest_pause_in_turn = std::chrono::microseconds(400);

/// Locks of open file descriptions: two stores of one process exclude each other too, and none is lost by a close
/// elsewhere.
bool set_lock(int file, short type, int place) {
  struct flock lock {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = place;
  lock.l_len = 1;
  return fcntl(file, F_OFD_SETLK, &lock) == 0;
}

}  // namespace

SqliteLock::SqliteLock(const std::string& path)
    : file_(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)) {
  if (file_ < 0) {
    throw StoreUnavailableError(
        "open", "the lock file beside the database cannot be opened: " + std::generic_category().message(errno));
  }
}

SqliteLock::~SqliteLock() { close(file_); }

SqliteLock::Held::Held(Held&& other) noexcept : file_(std::exchange(other.file_, -1)), place_(other.place_) {}

SqliteLock::Held::~Held() {
  if (file_ >= 0) set_lock(file_, F_UNLCK, place_);
}

bool SqliteLock::try_lock(int place) const {
  if (set_lock(file_, F_WRLCK, place)) return true;
  if (errno == EAGAIN || errno == EACCES || errno == EINTR) return false;
  throw StoreUnavailableError("lock", "the lock file cannot be locked: " + std::generic_category().message(errno));
}

std::optional<SqliteLock::Held> SqliteLock::take(BootClock::time_point deadline) {
  const auto wait_for = [&](int place, std::chrono::nanoseconds longest) {
    for (std::chrono::nanoseconds pause = first_pause; !try_lock(place); pause = std::min(pause * 2, longest)) {
      const auto left = deadline - BootClock::now();
      if (left <= std::chrono::nanoseconds(0)) return false;
      std::this_thread::sleep_for(std::min(pause, left));
    }
    return true;
  };
  if (!wait_for(turnstile_place, longest_pause)) return std::nullopt;
  const Held turnstile(file_, turnstile_place);
  if (!wait_for(database_place, longest_pause_in_turn)) return std::nullopt;
  return Held(file_, database_place);
}

}  // namespace sms::detail
