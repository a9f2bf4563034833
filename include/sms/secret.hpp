#pragma once

#include <string>
#include <utility>

namespace sms {

/// A credential. It does not print, compare or format, and its memory is overwritten when it goes.
class Secret {
 public:
  Secret() = default;
  Secret(std::string value) : value_(std::move(value)) {}
  Secret(const char* value) : value_(value) {}
  Secret(const Secret&) = default;
  Secret(Secret&& other) noexcept : value_(std::move(other.value_)) { other.wipe(); }
  Secret& operator=(const Secret& other);
  Secret& operator=(Secret&& other) noexcept;
  ~Secret() { wipe(); }

  /// The value itself, for putting it into a request.
  const std::string& reveal() const noexcept { return value_; }
  bool empty() const noexcept { return value_.empty(); }

 private:
  void wipe() noexcept;
  std::string value_;
};

}  // namespace sms
