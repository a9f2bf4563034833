#pragma once

#include "support/child_process.hpp"

#include <memory>
#include <string>

namespace sms::tests {

/// dynalite (npm), an implementation of DynamoDB that shares no code with ours. It checks no signature, and knows
/// neither `ReturnValuesOnConditionCheckFailure` nor time to live. Ends with this object, or with the test.
class DynaliteServer {
 public:
  /// Installs it when it is not there yet. Throws when it does not start.
  DynaliteServer();

  const std::string& url() const noexcept { return url_; }

 private:
  std::unique_ptr<ChildProcess> process_;
  std::string url_;
};

}  // namespace sms::tests
