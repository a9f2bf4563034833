#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace sms {

template <class Signature>
class UniqueFunction;

/// A move-only `std::function`: holds anything callable, also what cannot be copied (C++20 has no
/// `std::move_only_function`). Calling an empty one is undefined.
///
/// Thread safety: as the callable inside; distinct objects are independent.
template <class R, class... Args>
class UniqueFunction<R(Args...)> {
 public:
  UniqueFunction() noexcept = default;
  UniqueFunction(std::nullptr_t) noexcept {}

  template <class F>
  requires(!std::is_same_v<std::remove_cvref_t<F>, UniqueFunction> &&
           std::is_invocable_r_v<R, std::remove_cvref_t<F>&, Args...>) UniqueFunction(F&& function)
      : callable_(std::make_unique<Holder<std::remove_cvref_t<F>>>(std::forward<F>(function))) {}

  explicit operator bool() const noexcept { return callable_ != nullptr; }
  R operator()(Args... args) { return callable_->call(std::forward<Args>(args)...); }

 private:
  struct Callable {
    Callable() = default;
    Callable(const Callable&) = delete;
    Callable& operator=(const Callable&) = delete;
    virtual ~Callable() = default;
    virtual R call(Args... args) = 0;
  };
  template <class F>
  struct Holder final : Callable {
    template <class G>
    explicit Holder(G&& g) : function(std::forward<G>(g)) {}
    R call(Args... args) override { return function(std::forward<Args>(args)...); }
    F function;
  };

  std::unique_ptr<Callable> callable_;
};

}  // namespace sms
