#pragma once

#include "stores/redis/checks.hpp"
#include "stores/redis/connection.hpp"
#include "stores/redis/memory.hpp"
#include "stores/redis/request.hpp"

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sms::detail {

/// What the nodes of one store share.
struct RedisShared {
  RedisOptions options;
  RedisNames names;
  RedisMemory memory;
  std::optional<RedisTls> tls;

  explicit RedisShared(RedisOptions checked_options);
  const RedisTls* tls_if() const noexcept { return tls ? &*tls : nullptr; }
};

/// One server and the connection to it, on which many requests are under way. Belongs to the thread of the loop.
class RedisNode {
 public:
  /// Where requests go that this node cannot answer.
  class Owner {
   public:
    virtual ~Owner() = default;
    virtual void again(RedisRequestPtr request, std::chrono::milliseconds delay) = 0;
    virtual void moved(RedisRequestPtr request, std::uint16_t slot, RedisEndpoint to) = 0;
    virtual void ask(RedisRequestPtr request, RedisEndpoint to) = 0;
    virtual void opened(RedisNode& node, const RedisFacts& facts) = 0;
    virtual void failed(const std::string& reason) = 0;
  };

  RedisNode(RedisShared& shared, RedisEndpoint endpoint, Owner& owner);
  RedisNode(const RedisNode&) = delete;
  RedisNode& operator=(const RedisNode&) = delete;

  const RedisEndpoint& endpoint() const noexcept { return endpoint_; }
  /// Sends the request, or keeps it until it can be sent.
  void submit(RedisRequestPtr request);
  /// Connects even though nothing waits.
  void want() { wanted_ = true; }
  /// Ends what was written since the last call, and sends it.
  void flush(BootClock::time_point now);
  bool has_connection() const noexcept { return connection_ != nullptr; }
  /// Why the server must not be used; empty where it may.
  const std::string& refusal() const noexcept { return refusal_; }
  bool is_ready() const noexcept { return stage_ == Stage::ready; }
  pollfd wanted() const noexcept { return connection_->wanted(); }
  /// Goes on after a poll.
  void proceed();
  /// When it has to be looked at again by itself.
  std::optional<BootClock::time_point> next_event() const;
  /// Gives the connection up; what was under way goes back to the owner.
  void fail(const std::string& reason, bool refused = false);

 private:
  enum class Stage { idle, opening, joining, ready };
  struct InFlight {
    enum class Kind { script, mark, wait, ignored };
    Kind kind;
    RedisRequestPtr request = nullptr;
    std::int64_t mark = 0;
  };

  template <class Work>
  void guarded(Work work);
  void connect(BootClock::time_point now);
  void begin_opening();
  void take_opening(RespValue answer);
  void take_join(const RespValue& answer);
  void become_ready();
  void take(RespValue answer);
  void take_script(RedisRequestPtr request, RespValue answer);
  /// Keeps the most patient client's idea of a stale reservation, once it holds a key.
  void raise_stale_reservation(const RedisRequest& request);
  void take_error(const RedisRequestPtr& request, const RespValue& answer);
  /// Answers what was written before a mark, or a WAIT; with a fault the writes count as failed.
  void release_held(const std::string& fault);
  void write(const RedisRequestPtr& request);
  void end_batch();

  RedisShared& shared_;
  RedisEndpoint endpoint_;
  Owner& owner_;
  std::unique_ptr<RedisConnection> connection_;
  Stage stage_ = Stage::idle;
  bool asked_to_open_ = false;
  bool guards_ = false;  ///< Whether the store's own hash lies here.
  bool wanted_ = false;
  std::vector<RespValue> opening_;
  std::size_t opening_size_ = 0;
  RedisFacts facts_;
  std::deque<InFlight> in_flight_;
  std::vector<RedisRequestPtr> waiting_;
  std::vector<std::pair<RedisRequestPtr, RespValue>> held_;
  bool batch_writes_ = false;
  std::chrono::milliseconds stale_told_{0};

  void set_clock(std::int64_t server_ms) {
    server_ms_ = server_ms;
    server_ms_at_ = BootClock::now();
  }

  // The server's clock in its last answer, which was given before it came: a deadline that is reckoned from it is
  // rather too early than too late.
  std::int64_t server_ms_ = 0;
  BootClock::time_point server_ms_at_{};

  std::size_t attempts_ = 0;
  std::chrono::milliseconds backoff_{0};
  BootClock::time_point connect_not_before_{};
  BootClock::time_point open_until_{};
  std::string refusal_;
};

}  // namespace sms::detail
