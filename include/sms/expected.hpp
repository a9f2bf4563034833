#pragma once

#include <sms/error.hpp>
#include <sms/unique_function.hpp>

#include <memory>
#include <utility>
#include <variant>

namespace sms {

/// Either a `T` or an `Error`, as a value: what the non-throwing doors and the asynchronous ports answer.
///
/// Copies share the error, which is immutable. Usable without exceptions: only `value()` throws, from inside the
/// library.
template <class T>
class [[nodiscard]] Expected {
 public:
  Expected(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Expected(std::shared_ptr<const Error> error) : state_(std::in_place_index<1>, std::move(error)) {}
  template <class E>
  requires std::is_base_of_v<Error, E> Expected(E error)
      : state_(std::in_place_index<1>, std::make_shared<const E>(std::move(error))) {}

  bool has_value() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }

  /// Precondition: `has_value()`.
  const T& operator*() const& noexcept { return *std::get_if<0>(&state_); }
  T& operator*() & noexcept { return *std::get_if<0>(&state_); }
  T&& operator*() && noexcept { return std::move(*std::get_if<0>(&state_)); }
  const T* operator->() const noexcept { return std::get_if<0>(&state_); }
  T* operator->() noexcept { return std::get_if<0>(&state_); }

  /// Precondition: `!has_value()`.
  const Error& error() const noexcept { return **std::get_if<1>(&state_); }
  const std::shared_ptr<const Error>& error_ptr() const noexcept { return *std::get_if<1>(&state_); }

  /// The value, or throws the error as its own class.
  const T& value() const& {
    if (!has_value()) error().raise();
    return **this;
  }
  T value() && {
    if (!has_value()) error().raise();
    return std::move(**this);
  }

 private:
  std::variant<T, std::shared_ptr<const Error>> state_;
};

/// The answer of something that has nothing to say but that it worked.
using Done = std::monostate;

/// What a port calls when its work is over: exactly once, from any thread, without holding a lock of its own (the
/// client may go on with the send inside the call).
template <class T>
using Callback = UniqueFunction<void(Expected<T>)>;

}  // namespace sms
