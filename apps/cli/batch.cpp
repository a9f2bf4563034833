#include "batch.hpp"

#include "batch_report.hpp"
#include "client_options.hpp"
#include "interrupt.hpp"
#include "line_reader.hpp"
#include "message_line.hpp"
#include "usage_error.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

namespace sms::cli {

namespace {

constexpr std::size_t max_line_bytes = 1 << 20;

/// A file to read; standard input is only borrowed.
class Input {
 public:
  Input(const std::string& file, int standard_input)
      : fd_(file == "-" ? standard_input : ::open(file.c_str(), O_RDONLY | O_CLOEXEC)), owned_(file != "-") {
    if (fd_ < 0 || is_directory()) throw UsageError("the batch file cannot be read");
  }
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;
  ~Input() {
    if (owned_) ::close(fd_);
  }
  int fd() const noexcept { return fd_; }
  bool is_directory() const {
    struct stat status {};
    return ::fstat(fd_, &status) == 0 && S_ISDIR(status.st_mode);
  }
  /// Zero when it is no regular file.
  std::uint64_t size() const {
    struct stat status {};
    return ::fstat(fd_, &status) == 0 && S_ISREG(status.st_mode) ? static_cast<std::uint64_t>(status.st_size) : 0;
  }

 private:
  int fd_;
  bool owned_;
};

/// Starts messages on one thread and reports their outcomes, in the order of their lines, on another. The bounds: so
/// many under way, and so many ended ones that wait for an earlier one.
class BatchRun {
 public:
  BatchRun(const Session& session, std::size_t concurrency, std::uint64_t total_bytes)
      : console_(session.console),
        concurrency_(concurrency),
        report_(session.console, session.common.json, total_bytes) {}

  /// Reads and sends until the end of the input or a stop.
  void run(Client& client, LineReader& reader, const Config& config, const SendPlan& plan) {
    std::jthread writer([this](const std::stop_token&) { write(); });
    std::uint64_t number = 0;
    while (const auto line = reader.next()) {
      ++number;
      bytes_read_ = reader.bytes_read();
      if (line->text.find_first_not_of(" \t") == std::string::npos && !line->too_long) continue;
      start(client, number, *line, config, plan);
      if (!console_.out) break;
    }
    const std::lock_guard lock(mutex_);
    all_started_ = true;
    changed_.notify_all();
  }

  ExitCode finish(bool stopped) {
    report_.sum_up(stopped);
    return report_.exit_code();
  }

 private:
  static constexpr std::size_t max_waiting = 4096;

  void start(Client& client, std::uint64_t number, const LineReader::Line& line, const Config& config,
             const SendPlan& plan) {
    std::uint64_t position = 0;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock,
                    [this] { return under_way_ < concurrency_ && started_ - written_ < concurrency_ + max_waiting; });
      position = started_++;
      ++under_way_;
    }
    Expected<SendInput> input =
        line.too_long ? InvalidMessageError("the line is too long", "line") : parse_message_line(line.text);
    if (!input) return ended(position, {number, {}, input.error_ptr()});
    const std::optional<std::string> key = input->idempotency_key;
    if (const auto error = key ? missing_store(config) : nullptr) return ended(position, {number, key, error});
    client.async_send(*std::move(input), plan.options, [this, position, number, key](SendOutcome outcome) {
      ended(position, {number, key, std::move(outcome)});
    });
  }

  void ended(std::uint64_t position, BatchLine line) {
    const std::lock_guard lock(mutex_);
    --under_way_;
    waiting_.emplace(position, std::move(line));
    changed_.notify_all();
  }

  void write() {
    constexpr std::chrono::milliseconds tick{100};
    std::unique_lock lock(mutex_);
    while (!all_started_ || written_ < started_) {
      if (waiting_.empty() || waiting_.begin()->first != written_) {
        lock.unlock();
        console_.out.flush();
        report_.progress(bytes_read_);
        lock.lock();
        const auto next_is_there = [this] {
          return (!waiting_.empty() && waiting_.begin()->first == written_) || (all_started_ && written_ == started_);
        };
        if (console_.shows_progress) {
          changed_.wait_for(lock, tick, next_is_there);
        } else {
          changed_.wait(lock, next_is_there);
        }
        continue;
      }
      const auto line = waiting_.extract(waiting_.begin());
      lock.unlock();
      report_.add(line.mapped());
      report_.progress(bytes_read_);
      lock.lock();
      ++written_;
      changed_.notify_all();
    }
  }

  Console& console_;
  std::size_t concurrency_;
  BatchReport report_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::uint64_t, BatchLine> waiting_;
  std::uint64_t started_ = 0, written_ = 0;
  std::size_t under_way_ = 0;
  bool all_started_ = false;
  std::atomic<std::uint64_t> bytes_read_{0};
};

/// Tells people what a late answer settled after its line was reported.
Hooks late_hooks(Console& console) {
  Hooks hooks;
  hooks.on_late_outcome = [&console](const LateOutcomeEvent& event) {
    console.err << "sms-sdk: late answer: message " << event.send.id
                << (event.result ? " was accepted" : " was rejected") << "; its key is settled\n";
  };
  return hooks;
}

}  // namespace

ExitCode send_batch(const Session& session, const std::string& file, std::size_t concurrency, const SendPlan& plan) {
  const Input input(file, session.console.input_fd);
  const Config config = load_config({session.common.config, session.common.store}, session.environment);
  const Interrupt interrupt([&] { session.console.err << "\nsms-sdk: cancelling; once more ends at once\n"; });
  SendPlan stoppable = plan;
  stoppable.options.stop = interrupt.token();
  LineReader reader(input.fd(), max_line_bytes, interrupt.token());
  BatchRun batch(session, concurrency, input.size());
  {
    const auto store = open_configured_store(config);
    if (store) warn_of_forgetting(session.console, *store);
    Client client = make_client(config, store, plan, late_hooks(session.console));
    batch.run(client, reader, config, stoppable);
    const std::stop_callback cut_short(interrupt.token(), [&] { client.close(std::chrono::steady_clock::now()); });
    report_owed(session.console, client.close(std::chrono::steady_clock::now() + plan.linger));
  }
  return batch.finish(interrupt.token().stop_requested() || reader.failed() || !session.console.out);
}

}  // namespace sms::cli
