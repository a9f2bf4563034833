#pragma once

#include <functional>
#include <optional>
#include <string>

namespace sms::cli {

/// Looks up an environment variable; absent also when it is empty.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;

Environment process_environment();

}  // namespace sms::cli
