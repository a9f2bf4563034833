#pragma once

#include <sms/adapter.hpp>
#include <sms/clock.hpp>
#include <sms/entropy.hpp>
#include <sms/executor.hpp>
#include <sms/hooks.hpp>
#include <sms/idempotency.hpp>
#include <sms/message.hpp>
#include <sms/retry.hpp>
#include <sms/transport.hpp>
#include <sms/validation.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace sms {

/// What a policy is asked about.
struct PolicyContext {
  std::string id;
  const SendInput& input;
  Encoding encoding = Encoding::gsm7;
  int segments = 0;
};
struct Allow {};
struct Reject {
  std::string reason;
};
using PolicyDecision = std::variant<Allow, Reject>;

/// Asked once per logical send before anything leaves. Runs on the client's executor, bounded by `policy_timeout`; past
/// it the send is rejected and the abandoned call goes on with an input that it owns.
using BeforeSend = std::function<PolicyDecision(const PolicyContext&)>;

enum class Fallback {
  none,
  on_known_rejection  ///< After a proved, fallback-eligible rejection: the next adapter that can send the message.
};

struct IdempotencyOptions {
  std::shared_ptr<IdempotencyStore> store;
  std::chrono::milliseconds ttl = std::chrono::hours(24);  ///< Must outlast the longest retry window of your queue.
  /// Must outlast the slowest possible send; see `slowest_send`.
  std::chrono::milliseconds stale_reservation = std::chrono::minutes(5);
  std::chrono::milliseconds store_timeout{5'000};
  std::chrono::milliseconds finalize_timeout{10'000};
  std::optional<bool> posting_mark = {};  ///< Absent: on where the store is shared between processes.
  /// When set, a store of another identity is refused: an accidentally empty database would send everything again.
  std::string expect_store = {};
  InProgress in_progress = {};
};

struct ClientOptions {
  std::vector<std::shared_ptr<Adapter>> adapters;  ///< At least one; the first is the primary.
  Fallback fallback = Fallback::none;
  RetryOptions retry = {};
  std::chrono::milliseconds timeout{10'000};       ///< Bounds each attempt, connection included.
  std::chrono::milliseconds queue_timeout{5'000};  ///< Bounds the wait for a slot in the transport.
  /// How long after `timeout` an answer still settles its unknown; zero: not at all.
  std::chrono::milliseconds late_answer_window{60'000};
  std::chrono::milliseconds policy_timeout{10'000};
  std::optional<IdempotencyOptions> idempotency = {};
  BeforeSend before_send = {};
  Hooks hooks = {};
  std::shared_ptr<Transport> transport = {};  ///< Absent: `curl_transport()`.
  std::shared_ptr<Clock> clock = {};          ///< Absent: `system_clock()`.
  std::shared_ptr<Executor> executor = {};    ///< Absent: a pool of four threads.
  std::shared_ptr<Entropy> entropy = {};      ///< Absent: `system_entropy()`.
};

/// The longest time that one send can take from reserve to finalize: `policy_timeout`, the attempts of all adapters
/// with their queue and retry waits, and `finalize_timeout`. `stale_reservation` must be larger.
std::chrono::milliseconds slowest_send(const ClientOptions& options);

/// A result, or the error that says why there is none and whether sending again is safe.
using SendOutcome = Expected<SendResult>;

/// An outcome that could not be written to the store before the client closed.
struct OwedOutcome {
  std::string key;
  FinalIdempotencyRecord record;
};

struct CloseReport {
  std::size_t unfinished_sends = 0;  ///< Still running at the deadline.
  std::size_t late_answers = 0;      ///< Exchanges that were still kept open.
  std::vector<OwedOutcome> owed;     ///< Hand them back with `settle`, or to an operator.
  std::uint64_t dropped_hooks = 0;
  bool clean() const noexcept { return unfinished_sends == 0 && late_answers == 0 && owed.empty(); }
};

struct ClientCounters {
  std::uint64_t duplicates_detected = 0;  ///< Must stay 0.
  std::uint64_t late_outcomes = 0;
  std::uint64_t owed_outcomes = 0;  ///< Waiting to be written now.
  std::uint64_t dropped_hooks = 0;
};

/// What `Client::capabilities` lists.
using AdapterList = std::vector<AdapterInfo>;

namespace detail {
class Engine;
}

/// What a program sends through. A movable handle; all members are safe from any thread.
///
/// Destruction lets running sends end for at most a few seconds, waits for no late answer, and afterwards no callback
/// of this client runs; call `close` first to lose nothing. A client belongs to the process that made it: in a forked
/// child every send throws `ConfigurationError`.
class Client {
 public:
  /// Makes the transport where the options have none; null: HTTP adapters then cannot send.
  using TransportFactory = std::shared_ptr<Transport> (*)();

  /// Checks all options. Throws `ConfigurationError`; makes no request.
  explicit Client(ClientOptions options) : Client(std::move(options), [] { return curl_transport(); }) {}
  Client(ClientOptions options, TransportFactory default_transport);
  Client(Client&&) noexcept;
  Client& operator=(Client&&) noexcept;
  ~Client();

  /// Sends one logical message and waits for its outcome. Throws an `Error`; what a policy throws passes through
  /// unchanged.
  SendResult send(const SendInput& input, const SendOptions& options = {});
  /// The same, with the error as a value.
  SendOutcome try_send(const SendInput& input, const SendOptions& options = {});
  /// The same without waiting: `done` runs exactly once, inside this call or on a thread of the client, its transport
  /// or its store. It must neither block nor throw.
  void async_send(SendInput input, SendOptions options, UniqueFunction<void(SendOutcome)> done);

  /// All local checks over all adapters; sends nothing.
  ValidationResult validate(const SendInput& input) const;
  AdapterList capabilities() const;

  /// Hands back an outcome that the caller knows and the store may not: settles the key as accepted. `kept` when the
  /// key has no record any more. Waits for the store. Throws `StoreUnavailableError`, and `ConfigurationError` when the
  /// client has no store that takes evidence.
  SettleResult settle(const std::string& key, const SendResult& result);

  /// Takes no new sends, lets running ones, late answers and owed outcomes finish until `deadline`, and says what is
  /// left.
  CloseReport close(std::chrono::steady_clock::time_point deadline);

  ClientCounters counters() const;

 private:
  std::shared_ptr<detail::Engine> engine_;
};

}  // namespace sms
