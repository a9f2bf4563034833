#pragma once

#include <sms/foreign_fields.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace sms {

/// How far a message is known to have come.
enum class Delivery { unknown, queued, sent, delivered, undelivered, filtered };

/// Why a provider certainly did not create a message.
enum class RejectionCategory { auth, rate_limited, sender, account, unreachable, recipient, compliance, request };

/// Why it cannot be known whether a message was created. The last two come from stored records, not from an attempt.
enum class UnknownReason {
  network,
  timeout,
  aborted,
  malformed_response,
  server_error,
  unexpected_status,
  adapter_exception,
  replayed_unknown,
  stale_reservation
};

/// The wire words, equal to the enumerators.
std::string_view to_string(Delivery) noexcept;
std::string_view to_string(RejectionCategory) noexcept;
std::string_view to_string(UnknownReason) noexcept;

/// What the provider said, safe to log and to store: texts are redacted, and digit runs that also stand in the message
/// are masked.
struct ProviderDetails {
  std::string provider;
  std::optional<int> http_status;
  std::optional<std::string> code;
  std::optional<std::string> message;
  std::optional<std::string> request_id;
  ForeignFields foreign;
  bool operator==(const ProviderDetails&) const = default;
};

/// What proves a rejection. One that rests on the status alone never leads to another provider.
enum class Proof {
  provider_body,  ///< The provider's own documented error body.
  transport,      ///< Not one byte of the request left.
  status          ///< The status alone.
};

/// Only when the answer proves creation and carries the provider's message ID.
struct Accepted {
  std::string provider_id;
  Delivery delivery = Delivery::unknown;
  bool operator==(const Accepted&) const = default;
};

/// Only when it is proved that nothing was created.
struct Rejected {
  RejectionCategory category{};
  Proof proof = Proof::provider_body;
  std::optional<std::chrono::milliseconds> retry_after;
  ProviderDetails details;
  bool operator==(const Rejected&) const = default;
};

/// All else.
struct Unknown {
  UnknownReason reason{};
  std::optional<ProviderDetails> details;
  bool operator==(const Unknown&) const = default;
};

/// The end of one attempt: exactly one of three.
using AdapterOutcome = std::variant<Accepted, Rejected, Unknown>;

/// Whether a rejection may lead to the next adapter: its category is about this provider or this account, and more than
/// a bare status proves it.
bool fallback_eligible(RejectionCategory, Proof) noexcept;

}  // namespace sms
