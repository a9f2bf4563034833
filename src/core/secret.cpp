#include <sms/secret.hpp>

#include <openssl/crypto.h>

namespace sms {

Secret& Secret::operator=(const Secret& other) {
  if (this != &other) {
    wipe();
    value_ = other.value_;
  }
  return *this;
}

Secret& Secret::operator=(Secret&& other) noexcept {
  if (this != &other) {
    wipe();
    value_ = std::move(other.value_);
    other.wipe();
  }
  return *this;
}

void Secret::wipe() noexcept {
  value_.resize(value_.capacity());  // a moved-from string keeps its bytes in the inner buffer, behind its size
  OPENSSL_cleanse(value_.data(), value_.size());
  value_.clear();
}

}  // namespace sms
