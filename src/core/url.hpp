#pragma once

#include <optional>
#include <string_view>

namespace sms::detail {

/// What we ask of an http(s) URL.
struct HttpUrl {
  bool https = false;
  bool loopback = false;  ///< The host is `localhost`, a name below it, or a loopback address.
  bool has_credentials = false;
  bool has_query = false;
  bool has_fragment = false;
};

/// Parses an absolute http or https URL by the rules of the WHATWG URL standard; absent where that fails. Of host names
/// beyond ASCII only the encoding is checked.
std::optional<HttpUrl> parse_http_url(std::string_view text);

}  // namespace sms::detail
