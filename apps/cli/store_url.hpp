#pragma once

#include <string_view>

namespace sms::cli {

/// Other users of the machine see the command line: throws `UsageError` for a URL on it that may hold a password.
/// `name`: of the option or argument.
void refuse_password(std::string_view name, std::string_view url);

}  // namespace sms::cli
