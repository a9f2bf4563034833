#pragma once

#include <sms/encoding.hpp>
#include <sms/foreign_fields.hpp>
#include <sms/outcome.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace sms {

/// Whether a provider took the message. It is not delivery.
enum class Handoff { accepted, rejected, unknown };

/// One HTTP request to one provider within one send. Holds no body, no credential and no phone number.
struct Attempt {
  struct Accepted {
    std::string provider_id;
    Delivery delivery = Delivery::unknown;
    bool operator==(const Accepted&) const = default;
  };
  struct Rejected {
    RejectionCategory category{};
    std::optional<int> http_status;
    std::optional<std::string> provider_code;
    std::optional<std::chrono::milliseconds> retry_after;
    bool operator==(const Rejected&) const = default;
  };
  struct Unknown {
    UnknownReason reason{};
    std::optional<int> http_status;
    bool operator==(const Unknown&) const = default;
  };

  std::string provider;  ///< Name of the adapter.
  int attempt = 1;       ///< From 1, counted per adapter.
  std::variant<Accepted, Rejected, Unknown> outcome = Unknown{};
  std::chrono::milliseconds duration{0};  ///< By a monotonic clock.
  ForeignFields foreign;

  Handoff handoff() const noexcept { return static_cast<Handoff>(outcome.index()); }
  bool operator==(const Attempt&) const = default;
};

/// What a successful send answers.
struct SendResult {
  std::string id;           ///< Ours: `sms_` and 32 lower-case hex digits; the same in every replay.
  std::string provider;     ///< Name of the adapter that delivered.
  std::string provider_id;  ///< The provider's own message ID.
  Delivery delivery = Delivery::unknown;
  Encoding encoding = Encoding::gsm7;
  int segments = 0;
  std::vector<std::string> attempted_providers;  ///< In order, without repeats.
  std::vector<Attempt> attempts;
  bool replayed = false;  ///< True when no request was made: an earlier or a concurrent send of the key answered.
  ForeignFields foreign;

  /// One JSON object, camelCase, fields in the order of the contract (`handoff` is always `accepted`).
  std::string to_json() const;
  bool operator==(const SendResult&) const = default;
};

}  // namespace sms
