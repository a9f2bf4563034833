#pragma once

#include <sms/client.hpp>

#include "core/flight.hpp"
#include "core/flight_table.hpp"
#include "core/hook_queue.hpp"
#include "core/late_answers.hpp"
#include "core/owed_outcomes.hpp"

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace sms::detail {

/// What all sends of one client share. Kept alive by every send, late answer and owed outcome that needs it.
class Engine : public std::enable_shared_from_this<Engine> {
 public:
  explicit Engine(ClientOptions checked_options);

  const ClientOptions& options() const noexcept { return options_; }
  Clock& clock() const noexcept { return *options_.clock; }
  IdempotencyStore* store() const noexcept {
    return options_.idempotency ? options_.idempotency->store.get() : nullptr;
  }
  bool posts_marks() const noexcept { return posts_marks_; }

  /// Takes one message; `done` runs exactly once.
  void begin(std::shared_ptr<const SendInput> input, const SendOptions& options,
             UniqueFunction<void(SendOutcome)> done);
  ValidationResult validate(const SendInput& input) const;
  SettleResult settle(const std::string& key, const SendResult& result);
  CloseReport close(std::chrono::steady_clock::time_point deadline);
  /// Lets running sends end until `deadline`; after this no callback of the client's user runs.
  void shut(std::chrono::steady_clock::time_point deadline);
  ClientCounters counters() const;
  /// Whether this is the process that made it: after a fork the child has the memory, but none of the threads.
  bool at_home() const noexcept;
  bool closed() const noexcept { return closed_.load(std::memory_order_acquire); }
  /// Whether nobody waits for late answers any more.
  bool abandoned() const noexcept { return abandoned_.load(std::memory_order_acquire); }

  // For the parts of a send.
  double random();
  SendInfo info_of(const Flight& flight) const;
  void report_outcome(const Flight& flight, std::vector<Attempt> attempts, const SendOutcome& outcome);
  void report_late(const Flight& flight, const SendOutcome& outcome);
  void report_store_error(StoreErrorEvent::Kind kind, std::string operation, const std::string& key,
                          std::string message);
  void ended(const std::shared_ptr<Flight>& flight, SendOutcome outcome);

  LateAnswers& late_answers() noexcept { return late_; }
  OwedOutcomes& owed() noexcept { return owed_; }

 private:
  /// Starts a send whose predecessor has ended; one after the other, however many end each other.
  void launch(std::shared_ptr<Flight> flight);
  std::shared_ptr<const Error> refusal(const SendInput& input, const SendOptions& options) const;
  void wait_until(std::chrono::steady_clock::time_point deadline, const std::function<bool()>& over);
  void stop_all();

  ClientOptions options_;
  pid_t process_;
  bool posts_marks_ = false;
  std::atomic<bool> closed_{false};
  std::atomic<bool> abandoned_{false};
  HookQueue hooks_;
  FlightTable flights_;
  std::mutex launch_mutex_;
  std::deque<std::shared_ptr<Flight>> ready_;
  bool launching_ = false;
  LateAnswers late_;
  OwedOutcomes owed_;
  std::atomic<std::uint64_t> duplicates_{0};
  std::atomic<std::uint64_t> late_outcomes_{0};
};

}  // namespace sms::detail
