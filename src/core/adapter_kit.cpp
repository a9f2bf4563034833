#include <sms/adapter_kit.hpp>
#include <sms/error.hpp>
#include <sms/version.hpp>

#include "core/base64.hpp"
#include "core/url.hpp"

#include <algorithm>

namespace sms {

std::string basic_authorization(std::string_view user, std::string_view password) {
  std::string pair(user);
  pair.append(":").append(password);
  return "Basic " + detail::to_base64(pair);
}

bool is_http_url(std::string_view text) { return detail::parse_http_url(text).has_value(); }

bool is_provider_id(std::string_view text) noexcept {
  return !text.empty() && text.size() <= 255 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

std::optional<std::string> base_url_fault(std::string_view base_url, bool allow_insecure) {
  // A URL parser forgives white space and backslashes; what goes to the transport must need no forgiveness.
  const bool plain =
      std::all_of(base_url.begin(), base_url.end(), [](char c) { return c > ' ' && c <= '~' && c != '\\'; });
  const auto url = plain ? detail::parse_http_url(base_url) : std::nullopt;
  if (!url) return "must be an absolute http(s) URL";
  if (url->has_credentials || url->has_query || url->has_fragment) return "must have no credentials, query or fragment";
  if (!url->https && !url->loopback && !allow_insecure) {
    return "must be https, since credentials travel with it (http only to a loopback address, or with allow_insecure)";
  }
  return std::nullopt;
}

void check_credential(std::string_view field, std::string_view value) {
  if (value.empty()) throw ConfigurationError(std::string(field) + " must not be empty");
  if (value.find_first_of(std::string_view("\r\n\0", 3)) != std::string_view::npos) {
    throw ConfigurationError(std::string(field) + " must not contain CR, LF or NUL");
  }
}

std::string_view user_agent() noexcept {
  static const std::string name = "sms-sdk-cpp/" + std::string(version);
  return name;
}

}  // namespace sms
