#pragma once

#include <stdexcept>

namespace sms::conformance {

/// A case that cannot be run here; its text says why.
class Skip : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace sms::conformance
