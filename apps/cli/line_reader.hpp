#pragma once

#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>

namespace sms::cli {

/// Reads lines from a descriptor, with a bound on their length, until the end or until it is told to stop; waiting for
/// input ends at once when it is. One thread.
class LineReader {
 public:
  struct Line {
    std::string text;       ///< Without its line break.
    bool too_long = false;  ///< Longer than the bound; then `text` is empty.
  };

  LineReader(int fd, std::size_t max_line, std::stop_token stop);
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;
  ~LineReader();

  /// The next line; none at the end, when stopped, and when reading failed.
  std::optional<Line> next();
  /// Whether reading ended by a fault.
  bool failed() const noexcept { return failed_; }
  std::size_t bytes_read() const noexcept { return bytes_; }

 private:
  bool fill();

  int fd_;
  std::size_t max_line_;
  std::stop_token stop_;
  int wake_fd_;
  std::string buffer_;
  std::size_t start_ = 0;
  std::size_t bytes_ = 0;
  bool at_end_ = false;
  bool failed_ = false;
};

}  // namespace sms::cli
