#pragma once

#include "stores/postgres/batch.hpp"
#include "stores/postgres/connector.hpp"
#include "stores/postgres/home.hpp"
#include "stores/postgres/queue.hpp"

#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace sms::detail {

/// Serves operations over a pool of connections on the one thread that calls `run`.
class PgLoop {
 public:
  explicit PgLoop(std::shared_ptr<PgHome> home);

  /// From any thread. Answers at once where the loop was stopped.
  void submit(std::unique_ptr<PgOperation> operation);
  /// `run` answers what is outstanding, and returns.
  void stop();
  void run();

 private:
  using TimePoint = BootClock::time_point;

  bool take_arrivals();
  void wait();
  void take_connection(PgConnector& connector);
  void want_connection(PgConnector& connector);
  void serve_members();
  void drop_late();
  void dispatch();
  void close(std::unique_ptr<PgMember>& member, const std::string& trouble);
  bool may_send_lone() const;
  bool may_send() const;
  void fail_all(const std::string& reason);

  std::shared_ptr<PgHome> home_;
  PgSignal signal_;
  std::mutex mutex_;
  PgOperations arrivals_;
  bool stopped_ = false;
  std::uint64_t arrived_ = 0;

  PgQueue queue_;
  std::vector<std::unique_ptr<PgMember>> members_;
  bool connecting_ = false;
  bool prefer_lone_ = false;
  TimePoint next_attempt_{};
  TimePoint attempt_at_ = TimePoint::max();
  std::uint64_t connected_ = 0;
  std::string trouble_ = "not connected yet";
  bool refused_ = false;
};

/// The loop and its thread.
class PgThread {
 public:
  explicit PgThread(std::shared_ptr<PgHome> home);
  PgThread(const PgThread&) = delete;
  PgThread& operator=(const PgThread&) = delete;
  ~PgThread();
  void submit(std::unique_ptr<PgOperation> operation) { loop_->submit(std::move(operation)); }
  bool is_this_thread() const { return thread_.get_id() == std::this_thread::get_id(); }

 private:
  std::shared_ptr<PgLoop> loop_;
  std::thread thread_;
};

}  // namespace sms::detail
