#pragma once

#include <sms/client.hpp>

#include "console.hpp"
#include "exit_code.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace sms::cli {

/// One line of a batch that has ended.
struct BatchLine {
  std::uint64_t number = 0;  ///< From 1.
  std::optional<std::string> key;
  SendOutcome outcome;
};

/// Writes outcomes as they come, counts them, and sums up. One thread.
class BatchReport {
 public:
  /// `total_bytes` of the input, where known, make the bar; zero shows counts alone.
  BatchReport(Console& console, bool json, std::uint64_t total_bytes);

  void add(const BatchLine& line);
  /// Redraws the progress on a terminal, a few times a second.
  void progress(std::uint64_t bytes_read);
  /// The counts. `stopped`: not all lines were read.
  void sum_up(bool stopped);
  /// The highest code of any line.
  ExitCode exit_code() const noexcept { return worst_; }

 private:
  void clear_progress();

  Console& console_;
  bool json_;
  std::uint64_t total_bytes_;
  std::chrono::steady_clock::time_point started_;
  std::chrono::steady_clock::time_point drawn_;
  bool visible_ = false;
  std::map<ExitCode, std::uint64_t> counts_;
  std::uint64_t lines_ = 0, replayed_ = 0, unprotected_ = 0;
  ExitCode worst_ = ExitCode::done;
};

}  // namespace sms::cli
