#include "line_reader.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

namespace sms::cli {

LineReader::LineReader(int fd, std::size_t max_line, std::stop_token stop)
    : fd_(fd), max_line_(max_line), stop_(std::move(stop)), wake_fd_(::eventfd(0, EFD_CLOEXEC)) {
  if (wake_fd_ < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
}

LineReader::~LineReader() { ::close(wake_fd_); }

std::optional<LineReader::Line> LineReader::next() {
  bool too_long = false;
  std::size_t searched = start_;
  while (!stop_.stop_requested()) {
    const std::size_t end = buffer_.find('\n', searched);
    if (end != std::string::npos || (at_end_ && start_ < buffer_.size())) {
      const std::size_t stop_at = end == std::string::npos ? buffer_.size() : end;
      Line line{buffer_.substr(start_, stop_at - start_), too_long || stop_at - start_ > max_line_};
      start_ = end == std::string::npos ? buffer_.size() : end + 1;
      if (line.too_long) line.text.clear();
      if (line.text.ends_with('\r')) line.text.pop_back();
      return line;
    }
    if (at_end_ && too_long) return Line{{}, std::exchange(too_long, false)};
    buffer_.erase(0, start_);
    start_ = 0;
    if (buffer_.size() > max_line_) {
      too_long = true;
      buffer_.clear();
    }
    searched = buffer_.size();
    if (at_end_ || !fill()) break;
  }
  return std::nullopt;
}

bool LineReader::fill() {
  const std::stop_callback wake(stop_, [this] { (void)!::eventfd_write(wake_fd_, 1); });
  std::array<pollfd, 2> waiting{{{fd_, POLLIN, 0}, {wake_fd_, POLLIN, 0}}};
  while (::poll(waiting.data(), waiting.size(), -1) < 0) {
    if (errno != EINTR) return !(failed_ = true);
  }
  if (stop_.stop_requested()) return false;
  std::array<char, 64 * 1024> chunk;
  ssize_t count = 0;
  do count = ::read(fd_, chunk.data(), chunk.size());
  while (count < 0 && errno == EINTR);
  if (count < 0) return !(failed_ = true);
  at_end_ = count == 0;
  bytes_ += static_cast<std::size_t>(count);
  buffer_.append(chunk.data(), static_cast<std::size_t>(count));
  return true;
}

}  // namespace sms::cli
