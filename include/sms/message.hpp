#pragma once

#include <sms/clock.hpp>
#include <sms/provider_options.hpp>

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

namespace sms {

/// An alphanumeric sender: 1 to 11 letters, digits or spaces with at least one letter.
struct SenderId {
  std::string value;
  bool operator==(const SenderId&) const = default;
};
/// A short code: 3 to 8 digits.
struct ShortCode {
  std::string value;
  bool operator==(const ShortCode&) const = default;
};
/// A provider's pool of senders (Twilio messaging service, Telnyx messaging profile, Plivo powerpack).
struct MessagingService {
  std::string value;
  bool operator==(const MessagingService&) const = default;
};

/// Who a message comes from; a plain string is an E.164 number.
using From = std::variant<std::string, SenderId, ShortCode, MessagingService>;

/// One logical message.
struct SendInput {
  std::string to;                 ///< E.164, for example `+14155550123`.
  std::optional<From> from = {};  ///< Absent: the adapter's default sender.
  std::string body = {};          ///< UTF-8; may be empty only with media.
  std::optional<std::string> idempotency_key =
      {};                                    ///< 1 to 255 UTF-16 code units, no control characters. Names the message.
  std::vector<std::string> media_urls = {};  ///< Absolute http(s) URLs.
  std::optional<WallTime> send_at = {};      ///< Must lie in the future.
  std::optional<std::chrono::seconds> validity_period = {};  ///< How long the provider may try to deliver.
  std::optional<std::string> webhook_url = {};               ///< Where status webhooks of this message go.
  ProviderOptions provider_options = {};
};

/// What a send does when another process is sending the same key.
struct InProgress {
  /// Zero: `IdempotencyInProgressError` at once. Else: how long to wait for the other sender's outcome.
  std::chrono::milliseconds wait_up_to{0};
  static InProgress fail() { return {}; }
  static InProgress wait(std::chrono::milliseconds up_to) { return {up_to}; }
};

/// Options of one call of `send`.
struct SendOptions {
  std::stop_token stop = {};  ///< Cancels this caller's part in the send.
  /// No attempt starts after it; a request that is under way is never cut short of its timeout.
  std::optional<std::chrono::steady_clock::time_point> deadline = {};
  std::optional<InProgress> in_progress = {};  ///< Absent: the client's.
  /// When the job was made. A job older than `ttl` less a margin is refused, since its key may have been forgotten.
  std::optional<WallTime> issued_at = {};
  std::string trace_context = {};  ///< Passed to hooks as it is (W3C `traceparent`, for example).
};

}  // namespace sms
