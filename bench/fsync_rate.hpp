#pragma once

#include <chrono>
#include <string>

namespace sms::bench {

/// How many small appends a second this disk makes durable, one after another. Writes a file in `folder`.
double fsync_rate(const std::string& folder, std::chrono::milliseconds duration);

}  // namespace sms::bench
