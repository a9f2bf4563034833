#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace sms::detail {

/// Keywords and values of libpq. Throws `ConfigurationError`, without their values, for what libpq cannot read.
using PgConnectionInfo = std::vector<std::pair<std::string, std::string>>;
PgConnectionInfo parse_connection_info(const std::string& conninfo, std::chrono::milliseconds operation_timeout);

}  // namespace sms::detail
