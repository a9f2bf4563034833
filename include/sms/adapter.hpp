#pragma once

#include <sms/attempt_gate.hpp>
#include <sms/executor.hpp>
#include <sms/expected.hpp>
#include <sms/message.hpp>
#include <sms/outcome.hpp>
#include <sms/provider_options.hpp>
#include <sms/transport.hpp>
#include <sms/validation.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sms {

/// What a provider's API can do, as this adapter uses it.
struct Capabilities {
  bool mms = false;
  std::size_t max_media = 0;  ///< 0 = no limit known.
  bool scheduling = false;
  /// Inclusive bounds of the validity period; absent when there is none.
  struct Range {
    std::chrono::seconds min, max;
  };
  std::optional<Range> validity_period = {};
  bool webhook_url_override = false;
  bool inbound = false;
  bool receipts = false;
  bool number_sender = true;
  bool short_code_sender = true;
  bool alphanumeric_sender = true;
  bool messaging_service_sender = true;
  std::size_t max_body = 0;         ///< UTF-16 code units; 0 = no limit.
  bool body_required = false;       ///< The body may not be empty, not even with media.
  bool native_idempotency = false;  ///< The provider itself deduplicates by a key. None of ours does.
};

enum class SupportStatus { supported, partial };

/// What an adapter is, as data.
struct AdapterInfo {
  std::string name;      ///< Unique in a client; what results call `provider`.
  std::string provider;  ///< The company: `twilio`, `telnyx`, ...
  Capabilities capabilities;
  SupportStatus support = SupportStatus::supported;
  std::vector<std::string> support_notes;  ///< What is partial, and why.
  std::optional<From> default_sender;
  OptionSpecs options;
};

/// A message as one adapter gets it: validated, with this adapter's sender and options.
struct AdapterMessage {
  std::string id;  ///< Ours, `sms_...`.
  std::string to;
  std::optional<From> from;  ///< The caller's, else the adapter's default.
  std::string body;
  std::vector<std::string> media_urls;
  std::optional<WallTime> send_at;
  std::optional<std::chrono::seconds> validity_period;
  std::optional<std::string> webhook_url;
  WireOptions options;
};

/// What surrounds one attempt.
struct SendContext {
  int attempt = 1;  ///< From 1, per adapter.
  std::chrono::milliseconds timeout{10'000};
  /// How long past `timeout` the answer is still of use (a late answer settles its own unknown).
  std::chrono::milliseconds late_answer_window{60'000};
  WallTime now{};  ///< For adapters that put times into requests.
  std::shared_ptr<Transport> transport;
  std::shared_ptr<AttemptGate> gate;
};

/// Port: one provider's way of sending. An adapter makes no request at construction and reads no environment variable.
///
/// All members are safe from any thread; `send` must not block. Clients share ownership of their adapters.
class Adapter {
 public:
  virtual ~Adapter() = default;
  virtual const AdapterInfo& info() const = 0;
  /// What only this adapter knows to be wrong with a message that its capabilities allow. Pure.
  virtual std::vector<ValidationIssue> validate(const AdapterMessage&) const { return {}; }
  /// Makes one attempt and answers exactly once. `Accepted` and `Rejected` only with proof; throwing, before or instead
  /// of answering, is `unknown / adapter_exception`.
  virtual void send(AdapterMessage message, SendContext context, Callback<AdapterOutcome> done) = 0;
  /// Whether `send` calls `context.gate->commit()` itself just before something leaves. Where it does not, the client
  /// commits before it calls `send`, and every time-out is an unknown outcome.
  virtual bool commits() const { return false; }
};

/// Base for an adapter of your own that blocks: its plain `send` runs on `executor`, which is the moment at which the
/// attempt is committed; one that was stopped while it waited for a thread is not sent. What it throws is
/// `unknown / adapter_exception`.
class BlockingAdapter : public Adapter {
 public:
  explicit BlockingAdapter(std::shared_ptr<Executor> executor);
  virtual AdapterOutcome send(const AdapterMessage& message, const SendContext& context) = 0;
  void send(AdapterMessage message, SendContext context, Callback<AdapterOutcome> done) final;
  bool commits() const final { return true; }

 private:
  std::shared_ptr<Executor> executor_;
};

/// Base of adapters that speak HTTP: two pure functions, tested from values without a network.
class HttpAdapter : public Adapter {
 public:
  virtual HttpRequest build(const AdapterMessage&, const SendContext&) const = 0;
  /// Classifies a whole answer with a status of 200 or more. What the transport's evidence already decides (not sent,
  /// lost, cut short, 1xx, 5xx) never comes here.
  virtual AdapterOutcome classify(const HttpExchange&, const AdapterMessage&) const = 0;

  void send(AdapterMessage message, SendContext context, Callback<AdapterOutcome> done) final;
  bool commits() const final { return true; }

  /// The outcome of an exchange: by evidence first, by `classify` where there is a whole answer.
  AdapterOutcome outcome_of(const HttpExchange&, const AdapterMessage&) const;

 protected:
  /// What every outcome with an answer says of it: adapter, status and request ID, redacted.
  ProviderDetails details_of(const HttpExchange&, const AdapterMessage&) const;
  /// The response header that names the request at the provider; empty when there is none.
  virtual std::string_view request_id_header() const { return {}; }
  /// How connections of this adapter are used.
  virtual ConnectionReuse connection_reuse() const { return ConnectionReuse::normal; }
};

}  // namespace sms
