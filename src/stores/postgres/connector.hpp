#pragma once

#include "stores/postgres/home.hpp"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace sms::detail {

/// A counter that poll(2) can wait for.
class PgSignal {
 public:
  PgSignal();
  PgSignal(const PgSignal&) = delete;
  PgSignal& operator=(const PgSignal&) = delete;
  ~PgSignal();
  int descriptor() const noexcept { return descriptor_; }
  void raise() const noexcept;
  void clear() const noexcept;

 private:
  int descriptor_;
};

/// Connects on a thread of its own, since resolving a name blocks.
class PgConnector {
 public:
  struct Outcome {
    std::optional<PgSession> session;
    std::string trouble;   ///< Where there is no session.
    bool refused = false;  ///< The server may not be used.
  };

  /// Raises `ready` when an outcome can be taken.
  PgConnector(PgHome& home, const PgSignal& ready);
  PgConnector(const PgConnector&) = delete;
  PgConnector& operator=(const PgConnector&) = delete;
  ~PgConnector();

  /// Starts one attempt; `take` it before the next.
  void start();
  std::optional<Outcome> take();

 private:
  void run();

  PgHome& home_;
  const PgSignal& ready_;
  PgSignal stop_;
  std::mutex mutex_;
  std::condition_variable wanted_;
  bool wants_ = false;
  bool stopped_ = false;
  std::optional<Outcome> outcome_;
  std::thread thread_;
};

}  // namespace sms::detail
