#pragma once

#include <sms/clock.hpp>
#include <sms/outcome.hpp>
#include <sms/result.hpp>

#include <chrono>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sms {

enum class RecordState { reserved, accepted, rejected, unknown };
std::string_view to_string(RecordState) noexcept;

enum class ErrorCode {
  configuration,
  invalid_recipient,
  invalid_sender,
  invalid_message,
  unsupported_field,
  policy_rejected,
  provider_rejected,
  provider_auth,
  provider_rate_limited,
  provider_unreachable,
  all_providers_rejected,
  handoff_unknown,
  aborted,
  idempotency_conflict,
  idempotency_in_progress,
  store_unavailable,
  webhook_signature,
  webhook_payload
};
std::string_view to_string(ErrorCode) noexcept;

/// An error as plain data: what logs and stores keep. Holds no body, no full phone number, no credential.
struct SerializedError {
  std::string name;  ///< Class name, for example `HandoffUnknownError`.
  std::string code;
  std::string message;
  bool retry_safe = false;
  std::vector<Attempt> attempts;
  std::optional<ProviderDetails> provider;
  ForeignFields foreign;

  /// One JSON object: `name, code, message, retrySafe, attempts, provider?`, in that order.
  std::string to_json() const;
  bool operator==(const SerializedError&) const = default;
};

/// Base of every error of this library.
///
/// `retry_safe()` true means: sending again **with the same key** cannot make a second message. It does not mean that
/// it will work, and it promises nothing for a new key.
///
/// Immutable after construction, so that one object can be read from any thread.
class Error : public std::exception {
 public:
  ErrorCode code() const noexcept { return code_; }
  /// Class name, for example `HandoffUnknownError`.
  virtual std::string_view name() const noexcept = 0;
  /// A sentence for people; phone numbers are masked.
  const char* what() const noexcept override { return message_.c_str(); }
  bool retry_safe() const noexcept { return retry_safe_; }
  const std::vector<Attempt>& attempts() const noexcept { return attempts_; }
  const std::optional<ProviderDetails>& provider() const noexcept { return provider_; }
  /// The exception of foreign code (a policy, an adapter, a store) behind this error, for debugging; may be null.
  const std::exception_ptr& cause() const noexcept { return cause_; }

  SerializedError serialize() const;
  std::string to_json() const { return serialize().to_json(); }

  /// Throws a copy of this error as its own class.
  [[noreturn]] virtual void raise() const = 0;
  /// A copy that carries these attempts; for the send flow.
  virtual std::shared_ptr<Error> with_attempts(std::vector<Attempt>) const = 0;

 protected:
  Error(ErrorCode code, bool retry_safe, std::string message);
  Error(const Error&) = default;
  Error(Error&&) = default;
  Error& operator=(const Error&) = default;
  Error& operator=(Error&&) = default;

  std::vector<Attempt> attempts_;
  std::optional<ProviderDetails> provider_;
  std::exception_ptr cause_;

 private:
  ErrorCode code_;
  bool retry_safe_;
  std::string message_;
};

/// Implements what every class does alike.
template <class Derived, class Base = Error>
class ErrorBase : public Base {
 public:
  std::string_view name() const noexcept override { return Derived::class_name; }
  [[noreturn]] void raise() const override { raise_copy(static_cast<const Derived&>(*this)); }
  std::shared_ptr<Error> with_attempts(std::vector<Attempt> attempts) const override {
    auto copy = std::make_shared<Derived>(static_cast<const Derived&>(*this));
    static_cast<ErrorBase&>(*copy).attempts_ = std::move(attempts);
    return copy;
  }

 protected:
  using Base::Base;

 private:
  [[noreturn]] static void raise_copy(const Derived& error) {
#if defined(__cpp_exceptions)
    throw Derived(error);
#else
    (void)error;
    std::terminate();
#endif
  }
};

/// Options of a client, an adapter or a store are wrong. Thrown at construction.
class ConfigurationError : public ErrorBase<ConfigurationError> {
 public:
  static constexpr std::string_view class_name = "ConfigurationError";
  explicit ConfigurationError(std::string message);
};

/// `to` is not E.164.
class InvalidRecipientError : public ErrorBase<InvalidRecipientError> {
 public:
  static constexpr std::string_view class_name = "InvalidRecipientError";
  explicit InvalidRecipientError(std::string message);
};

/// No sender, or a malformed one.
class InvalidSenderError : public ErrorBase<InvalidSenderError> {
 public:
  static constexpr std::string_view class_name = "InvalidSenderError";
  InvalidSenderError(std::string message, std::optional<std::string> adapter);
  /// The adapter that cannot use the sender, when it is about one.
  const std::optional<std::string>& adapter() const noexcept { return adapter_; }

 private:
  std::optional<std::string> adapter_;
};

/// A field of the message breaks its rule.
class InvalidMessageError : public ErrorBase<InvalidMessageError> {
 public:
  static constexpr std::string_view class_name = "InvalidMessageError";
  InvalidMessageError(std::string message, std::string field, std::optional<std::string> adapter = {});
  const std::string& field() const noexcept { return field_; }
  const std::optional<std::string>& adapter() const noexcept { return adapter_; }

 private:
  std::string field_;
  std::optional<std::string> adapter_;
};

/// The primary adapter cannot send a field, or does not know an option.
class UnsupportedFieldError : public ErrorBase<UnsupportedFieldError> {
 public:
  static constexpr std::string_view class_name = "UnsupportedFieldError";
  UnsupportedFieldError(std::string message, std::string field, std::string adapter);
  const std::string& field() const noexcept { return field_; }
  const std::string& adapter() const noexcept { return adapter_; }

 private:
  std::string field_;
  std::string adapter_;
};

/// `before_send` said no, took too long (reason `timeout`) or threw (then `cause()` has its exception).
class PolicyRejectedError : public ErrorBase<PolicyRejectedError> {
 public:
  static constexpr std::string_view class_name = "PolicyRejectedError";
  explicit PolicyRejectedError(std::string reason, std::exception_ptr cause = nullptr);
  /// The policy's own words. Kept out of `what()`, JSON, hooks and stores.
  const std::string& reason() const noexcept { return reason_; }

 private:
  std::string reason_;
};

/// It is proved that no message was created.
class ProviderRejectedError : public ErrorBase<ProviderRejectedError> {
 public:
  static constexpr std::string_view class_name = "ProviderRejectedError";
  explicit ProviderRejectedError(const Rejected& rejection);
  RejectionCategory category() const noexcept { return category_; }
  bool fallback_eligible() const noexcept { return fallback_eligible_; }
  /// The provider's wish, only for `rate_limited`.
  std::optional<std::chrono::milliseconds> retry_after() const noexcept { return retry_after_; }

 protected:
  ProviderRejectedError(ErrorCode code, const Rejected& rejection);

 private:
  RejectionCategory category_;
  bool fallback_eligible_;
  std::optional<std::chrono::milliseconds> retry_after_;
};

class ProviderAuthError : public ErrorBase<ProviderAuthError, ProviderRejectedError> {
 public:
  static constexpr std::string_view class_name = "ProviderAuthError";
  explicit ProviderAuthError(const Rejected& rejection);
};

class ProviderRateLimitedError : public ErrorBase<ProviderRateLimitedError, ProviderRejectedError> {
 public:
  static constexpr std::string_view class_name = "ProviderRateLimitedError";
  explicit ProviderRateLimitedError(const Rejected& rejection);
};

/// The request never left: nothing can have been created.
class ProviderUnreachableError : public ErrorBase<ProviderUnreachableError, ProviderRejectedError> {
 public:
  static constexpr std::string_view class_name = "ProviderUnreachableError";
  explicit ProviderUnreachableError(const Rejected& rejection);
};

/// The error of a rejection, by its category.
std::shared_ptr<const ProviderRejectedError> make_rejected_error(const Rejected& rejection);

/// Fallback was on and every attempted adapter (at least two) rejected.
class AllProvidersRejectedError : public ErrorBase<AllProvidersRejectedError> {
 public:
  static constexpr std::string_view class_name = "AllProvidersRejectedError";
  using Errors = std::vector<std::shared_ptr<const ProviderRejectedError>>;
  explicit AllProvidersRejectedError(Errors errors);
  /// One per adapter, in the order tried.
  const Errors& errors() const noexcept { return errors_; }

 private:
  Errors errors_;
};

/// It cannot be known whether the message was created. Never retry-safe: the key stays unknown until evidence or an
/// operator settles it.
class HandoffUnknownError : public ErrorBase<HandoffUnknownError> {
 public:
  static constexpr std::string_view class_name = "HandoffUnknownError";
  explicit HandoffUnknownError(UnknownReason reason, std::optional<ProviderDetails> details = {},
                               std::exception_ptr cause = nullptr);
  UnknownReason reason() const noexcept { return reason_; }

 private:
  UnknownReason reason_;
};

/// Cancelled, or out of time, with nothing in flight: no request of this send can have created a message.
class SendAbortedError : public ErrorBase<SendAbortedError> {
 public:
  static constexpr std::string_view class_name = "SendAbortedError";
  explicit SendAbortedError(std::string message);
};

/// The key names another message. A new key may send a second message when the stored state is unknown or reserved.
class IdempotencyConflictError : public ErrorBase<IdempotencyConflictError> {
 public:
  static constexpr std::string_view class_name = "IdempotencyConflictError";
  IdempotencyConflictError(std::string key, RecordState stored_state);
  const std::string& key() const noexcept { return key_; }
  RecordState stored_state() const noexcept { return stored_state_; }

 private:
  std::string key_;
  RecordState stored_state_;
};

/// Another sender holds a fresh reservation of the key. Send again later, with the same key.
class IdempotencyInProgressError : public ErrorBase<IdempotencyInProgressError> {
 public:
  static constexpr std::string_view class_name = "IdempotencyInProgressError";
  IdempotencyInProgressError(std::string key, WallTime since);
  const std::string& key() const noexcept { return key_; }
  /// When the other sender reserved the key, as the store has it.
  WallTime since() const noexcept { return since_; }

 private:
  std::string key_;
  WallTime since_;
};

/// The store failed or timed out before anything was sent.
class StoreUnavailableError : public ErrorBase<StoreUnavailableError> {
 public:
  static constexpr std::string_view class_name = "StoreUnavailableError";
  /// `operation` is the store's function, for example `reserve`; `reason` must hold no key, body or number.
  StoreUnavailableError(std::string operation, std::string reason, std::exception_ptr cause = nullptr);
  const std::string& operation() const noexcept { return operation_; }

 private:
  std::string operation_;
};

enum class SignatureFault {
  missing_signature,
  invalid_signature,
  stale_timestamp,
  body_hash_mismatch,
  malformed_signature,
  invalid_credentials
};
std::string_view to_string(SignatureFault) noexcept;

/// A webhook is not authentic.
class WebhookSignatureError : public ErrorBase<WebhookSignatureError> {
 public:
  static constexpr std::string_view class_name = "WebhookSignatureError";
  WebhookSignatureError(SignatureFault reason, std::string provider);
  SignatureFault reason() const noexcept { return reason_; }

 private:
  SignatureFault reason_;
};

/// A webhook is authentic, but lacks what an event needs.
class WebhookPayloadError : public ErrorBase<WebhookPayloadError> {
 public:
  static constexpr std::string_view class_name = "WebhookPayloadError";
  WebhookPayloadError(std::string message, std::string provider);
};

}  // namespace sms
