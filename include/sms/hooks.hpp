#pragma once

#include <sms/encoding.hpp>
#include <sms/error.hpp>
#include <sms/result.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace sms {

/// What every hook is told of a send: nothing secret, no body, no full number.
struct SendInfo {
  std::string id;
  std::string trace_context;
  std::string to;  ///< Masked.
  Encoding encoding = Encoding::gsm7;
  int segments = 0;
  std::optional<std::string> key;  ///< Through `redact_text`.
};

/// The store failed, or answered something that a caller should know of.
struct StoreErrorEvent {
  enum class Kind { unavailable, not_owner, duplicate_detected };
  Kind kind = Kind::unavailable;
  std::string operation;  ///< `reserve`, `mark`, `finalize`, `settle`.
  std::string key;        ///< Through `redact_text`.
  std::string message;
};

/// An unknown outcome settled itself.
struct LateOutcomeEvent {
  SendInfo send;
  std::optional<SendResult> result;    ///< Set when the provider had accepted.
  std::shared_ptr<const Error> error;  ///< Set when it had rejected.
};

/// Observers. They run after the outcome is stored, off the send's path, in order for one send, on a thread of the
/// client's executor; when too many wait, further ones are dropped and counted. What they throw is ignored. A replay, a
/// conflict and a validation error call none.
struct Hooks {
  std::function<void(const SendInfo&, const Attempt&)> on_attempt = {};      ///< Once per request.
  std::function<void(const SendInfo&, const SendResult&)> on_accepted = {};  ///< Once per logical send,
  std::function<void(const SendInfo&, const Error&)> on_failure = {};        ///< or this.
  std::function<void(const LateOutcomeEvent&)> on_late_outcome = {};
  std::function<void(const StoreErrorEvent&)> on_store_error = {};
};

}  // namespace sms
