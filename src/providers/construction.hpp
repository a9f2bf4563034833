#pragma once

#include <sms/adapter.hpp>

#include <string>
#include <string_view>

namespace sms::detail {

/// Checks that adapters make when they are constructed. Each throws a `ConfigurationError` that names the field.

/// The base URL without trailing slashes.
std::string checked_base_url(std::string_view base_url, bool allow_insecure);

void check_default_sender(const Adapter& adapter);

/// `prefix` and 32 hex digits.
bool is_sid(std::string_view prefix, std::string_view text) noexcept;

}  // namespace sms::detail
