#pragma once

#include "config.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace sms::cli {

enum class Verdict { passed, warned, failed };
std::string_view to_string(Verdict) noexcept;

struct Check {
  std::string name;
  Verdict verdict = Verdict::passed;
  std::string message;
};

/// The checks that need no request: configuration, adapters with credentials and senders, timings, store, clock. They
/// never throw; what is wrong is a failed check.
std::vector<Check> check_setup(const Config& config);

bool all_passed(const std::vector<Check>& checks) noexcept;

}  // namespace sms::cli
