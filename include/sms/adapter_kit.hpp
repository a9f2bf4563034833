#pragma once

#include <sms/clock.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace sms {

/// Small things that adapters of HTTP providers share; useful for an adapter of your own.

/// `Basic ` and the base64 of `user:password`, both as UTF-8.
std::string basic_authorization(std::string_view user, std::string_view password);

/// A Retry-After value (RFC 9110, 10.2.3): delta seconds (digits only) or one of the three HTTP date forms in GMT.
/// Absent for anything else. A date in the past is zero; nothing overflows.
std::optional<std::chrono::milliseconds> parse_retry_after(std::string_view value, WallTime now);

/// Whether a text is an absolute http or https URL, as a browser's URL parser (WHATWG) takes it.
bool is_http_url(std::string_view text);

/// Whether a text is 1 to 255 printable ASCII characters: what counts as a provider's message ID.
bool is_provider_id(std::string_view text) noexcept;

/// What is wrong with the base URL of an adapter, or nothing: it must be https unless its host is a loopback address or
/// `allow_insecure` is set (credentials travel with it), and have neither credentials, query nor fragment.
std::optional<std::string> base_url_fault(std::string_view base_url, bool allow_insecure);

/// Throws `ConfigurationError` naming `field` when a value that goes into a header holds CR, LF or NUL, or is empty.
void check_credential(std::string_view field, std::string_view value);

/// `2026-11-30T12:00:00.000Z`, as JavaScript's `toISOString` has it.
std::string to_iso8601(WallTime time);

/// The value of the `User-Agent` header of all requests.
std::string_view user_agent() noexcept;

}  // namespace sms
