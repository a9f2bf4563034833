#pragma once

#include "stores/postgres/home.hpp"
#include "stores/postgres/operation.hpp"
#include "stores/postgres/queue.hpp"

#include <string>
#include <utility>

namespace sms::detail {

/// Back into the queue, or answered where it is too late.
void put_back(PgQueue& queue, std::unique_ptr<PgOperation> operation, const std::string& trouble);

/// A connection of the pool and what is under way on it. Of one thread.
class PgMember {
 public:
  using TimePoint = BootClock::time_point;

  PgMember(PgSession session, std::string name);

  bool idle() const noexcept { return batch_.empty(); }
  /// poll(2) has something for it.
  bool ready = false;
  bool lone() const noexcept { return batch_.size() == 1 && batch_.front()->alone; }
  const PgLink& link() const noexcept { return session_.link; }
  /// When the answer is not worth waiting for any more.
  TimePoint deadline() const noexcept { return deadline_; }

  /// Throws `PgFailure`; the batch is under way all the same.
  void send(PgOperations batch, std::chrono::milliseconds operation_timeout);
  /// Does what can be done. False: the connection must be closed, and `take_batch` has the rest.
  bool advance(PgQueue& queue);
  /// What is under way, when the connection is closed.
  PgOperations take_batch() { return std::exchange(batch_, {}); }
  std::string trouble() const { return trouble_; }

 private:
  bool distribute(PgQueue& queue, const PgResult& result);
  void failed(PgQueue& queue, const PgFailure& failure);

  PgSession session_;
  std::string name_;
  std::uint64_t batches_ = 0;
  std::string nonce_;
  PgOperations batch_;
  TimePoint deadline_ = TimePoint::max();
  std::chrono::milliseconds stale_known_{0}, stale_sent_{0};
  WallTime server_time_;
  TimePoint server_time_seen_;
  bool wrapped_;
  std::string trouble_;
};

}  // namespace sms::detail
