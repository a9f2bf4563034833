#include "batch_report.hpp"

#include "core/json_text.hpp"
#include "report.hpp"

#include <algorithm>
#include <string_view>

namespace sms::cli {

namespace {

std::string_view word_for(ExitCode code) {
  switch (code) {
    case ExitCode::done:
      return "accepted";
    case ExitCode::invalid:
      return "invalid";
    case ExitCode::rejected:
      return "rejected";
    case ExitCode::unknown:
      return "unknown";
    case ExitCode::conflict:
      return "conflicting";
    case ExitCode::in_progress:
      return "in progress";
    case ExitCode::store_unavailable:
      return "not sent for want of the store";
    case ExitCode::aborted:
      return "cancelled";
    case ExitCode::check_failed:
    case ExitCode::usage:
    case ExitCode::not_found:
    case ExitCode::refused:
      break;
  }
  return "failed";
}

/// `{"line":7,"idempotencyKey":"k",` and then the fields of the result, or `error`.
std::string json_line(const BatchLine& line) {
  std::string text = "{\"line\":" + std::to_string(line.number) + ",";
  if (line.key) text += "\"idempotencyKey\":" + detail::json_string(*line.key) + ",";
  if (line.outcome) return text + line.outcome->to_json().substr(1);
  return text + "\"error\":" + line.outcome.error().to_json() + "}";
}

}  // namespace

BatchReport::BatchReport(Console& console, bool json, std::uint64_t total_bytes)
    : console_(console), json_(json), total_bytes_(total_bytes), started_(std::chrono::steady_clock::now()) {}

void BatchReport::add(const BatchLine& line) {
  const ExitCode code = line.outcome ? ExitCode::done : exit_code_of(line.outcome.error());
  ++lines_;
  ++counts_[code];
  if (line.outcome && line.outcome->replayed) ++replayed_;
  if (!line.key && code != ExitCode::invalid) ++unprotected_;
  worst_ = std::max(worst_, code);
  if (json_) {
    console_.out << json_line(line) << '\n';
  } else if (!line.outcome) {
    clear_progress();
    console_.err << "line " << line.number << ": " << line.outcome.error().name() << ": " << line.outcome.error().what()
                 << '\n';
  }
}

void BatchReport::progress(std::uint64_t bytes_read) {
  constexpr std::chrono::milliseconds interval{100};
  constexpr std::uint64_t width = 24;
  const auto now = std::chrono::steady_clock::now();
  if (!console_.shows_progress || now - drawn_ < interval) return;
  drawn_ = now;
  visible_ = true;
  std::string bar;
  if (total_bytes_ > 0) {
    const std::uint64_t share = std::min(bytes_read, total_bytes_) * width / total_bytes_;
    bar = "[" + std::string(share, '#') + std::string(width - share, '.') + "] ";
  }
  const double seconds = std::chrono::duration<double>(now - started_).count();
  console_.err << "\r\x1b[K" << bar << lines_ << " lines, " << counts_[ExitCode::done] << " accepted, "
               << lines_ - counts_[ExitCode::done] << " not, "
               << static_cast<std::uint64_t>(static_cast<double>(lines_) / seconds) << "/s" << std::flush;
}

void BatchReport::clear_progress() {
  if (visible_) console_.err << "\r\x1b[K";
  visible_ = false;
}

void BatchReport::sum_up(bool stopped) {
  clear_progress();
  std::ostream& out = json_ ? console_.err : console_.out;
  out << lines_ << (lines_ == 1 ? " message" : " messages");
  const char* separator = ": ";
  for (const auto& [code, count] : counts_) {
    if (count == 0) continue;
    out << separator << count << ' ' << word_for(code);
    if (code == ExitCode::done && replayed_ > 0) out << " (" << replayed_ << " of them earlier)";
    separator = ", ";
  }
  out << '\n';
  if (counts_[ExitCode::unknown] > 0) {
    out << "  unknown ones are never sent again; `sms-sdk keys list` shows what needs somebody\n";
  }
  if (unprotected_ > 0) {
    console_.err << "sms-sdk: " << unprotected_
                 << " lines have no idempotencyKey: a repeat of them will not be recognised, and texts again\n";
  }
  if (stopped) {
    console_.err << "sms-sdk: stopped before the end of the input; later lines were not sent\n";
    worst_ = std::max(worst_, ExitCode::aborted);
  }
}

}  // namespace sms::cli
