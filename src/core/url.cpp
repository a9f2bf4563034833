#include "core/url.hpp"

#include "core/text.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <string>
#include <vector>

namespace sms::detail {
namespace {

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string without_forgiven(std::string_view text) {
  const auto is_edge = [](char c) { return static_cast<unsigned char>(c) <= 0x20; };
  while (!text.empty() && is_edge(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_edge(text.back())) text.remove_suffix(1);
  std::string out(text);
  std::erase_if(out, [](char c) { return c == '\t' || c == '\n' || c == '\r'; });
  return out;
}

bool take_scheme(std::string_view& text, std::string_view scheme) {
  if (text.size() <= scheme.size() || text[scheme.size()] != ':') return false;
  if (!std::equal(scheme.begin(), scheme.end(), text.begin(), [](char a, char b) { return a == lower(b); }))
    return false;
  text.remove_prefix(scheme.size() + 1);
  return true;
}

// Percent-decodes and lower-cases a host; empty when it holds what a host must not.
std::string plain_host(std::string_view host) {
  std::string out;
  for (std::size_t i = 0; i < host.size(); ++i) {
    unsigned char byte = 0;
    const char* const hex = host.data() + i + 1;
    if (host[i] == '%' && i + 2 < host.size() && std::from_chars(hex, hex + 2, byte, 16).ptr == hex + 2) {
      out += static_cast<char>(byte);
      i += 2;
    } else {
      out += host[i];
    }
  }
  constexpr std::string_view forbidden = " #%/:<>?@[\\]^|\x7f";
  const bool bad = std::any_of(out.begin(), out.end(), [&](char c) {
    return (c >= 0 && c < 0x20) || forbidden.find(c) != std::string_view::npos;
  });
  if (bad || !is_valid_utf8(out)) return {};
  std::transform(out.begin(), out.end(), out.begin(), lower);
  return out;
}

std::vector<std::string_view> split_labels(std::string_view host) {
  std::vector<std::string_view> labels;
  for (std::size_t dot; (dot = host.find('.')) != std::string_view::npos; host.remove_prefix(dot + 1)) {
    labels.push_back(host.substr(0, dot));
  }
  if (!host.empty() || labels.empty()) labels.push_back(host);
  return labels;
}

// A number as IPv4 addresses hold it: decimal, octal with a leading 0, hexadecimal with 0x. Saturates.
std::optional<std::uint64_t> ipv4_number(std::string_view text) {
  if (text.empty()) return std::nullopt;
  int base = 10;
  if (text.starts_with("0x")) {
    base = 16;
    text.remove_prefix(2);
  } else if (text.size() > 1 && text[0] == '0') {
    base = 8;
    text.remove_prefix(1);
  }
  if (text.empty()) return 0;
  std::uint64_t number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (end != text.data() + text.size() || fault == std::errc::invalid_argument) return std::nullopt;
  return fault == std::errc::result_out_of_range ? UINT64_MAX : number;
}

bool ends_in_number(std::string_view label) {
  return (!label.empty() && std::all_of(label.begin(), label.end(), is_digit)) ||
         (label.starts_with("0x") && ipv4_number(label));
}

std::optional<std::uint32_t> ipv4_address(const std::vector<std::string_view>& labels) {
  if (labels.size() > 4) return std::nullopt;
  std::uint64_t address = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto number = ipv4_number(labels[i]);
    const bool last = i + 1 == labels.size();
    const std::uint64_t limit = last ? std::uint64_t{1} << 8 * (5 - labels.size()) : 256;
    if (!number || *number >= limit) return std::nullopt;
    address |= last ? *number : *number << 8 * (3 - i);
  }
  return static_cast<std::uint32_t>(address);
}

// Whether a host is valid, and whether it is this machine.
bool read_name(std::string_view text, HttpUrl& url) {
  const std::string host = plain_host(text);
  if (host.empty()) return false;
  const auto labels = split_labels(host);
  if (ends_in_number(labels.back())) {
    const auto address = ipv4_address(labels);
    url.loopback = address && *address >> 24 == 127;
    return address.has_value();
  }
  url.loopback = labels.back() == "localhost";
  return true;
}

bool read_ipv6(std::string_view text, HttpUrl& url) {
  std::array<unsigned char, 16> address{};
  const std::string terminated(text);
  const bool whole = terminated.find(char{}) == std::string::npos;
  if (!whole || inet_pton(AF_INET6, terminated.c_str(), address.data()) != 1) return false;
  constexpr std::array<unsigned char, 16> loopback{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  url.loopback = address == loopback;
  return true;
}

bool is_port(std::string_view text) {
  if (text.empty()) return true;
  std::uint16_t port = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), port);
  return fault == std::errc() && end == text.data() + text.size();
}

bool read_authority(std::string_view authority, HttpUrl& url) {
  if (const std::size_t at = authority.rfind('@'); at != std::string_view::npos) {
    url.has_credentials = true;
    authority.remove_prefix(at + 1);
  }
  if (authority.starts_with('[')) {
    const std::size_t end = authority.find(']');
    if (end == std::string_view::npos || !read_ipv6(authority.substr(1, end - 1), url)) return false;
    const std::string_view rest = authority.substr(end + 1);
    return rest.empty() || (rest[0] == ':' && is_port(rest.substr(1)));
  }
  const std::size_t colon = authority.find(':');
  if (colon != std::string_view::npos && !is_port(authority.substr(colon + 1))) return false;
  return read_name(authority.substr(0, colon), url);
}

}  // namespace

std::optional<HttpUrl> parse_http_url(std::string_view text) {
  const std::string forgiven = without_forgiven(text);
  std::string_view rest = forgiven;
  HttpUrl url;
  url.https = take_scheme(rest, "https");
  if (!url.https && !take_scheme(rest, "http")) return std::nullopt;
  rest.remove_prefix(std::min(rest.find_first_not_of("/\\"), rest.size()));
  const std::size_t end = std::min(rest.find_first_of("/\\?#"), rest.size());
  if (!read_authority(rest.substr(0, end), url)) return std::nullopt;
  rest.remove_prefix(end);
  const std::size_t fragment = rest.find('#');
  url.has_fragment = fragment != std::string_view::npos;
  url.has_query = rest.substr(0, fragment).find('?') != std::string_view::npos;
  return url;
}

}  // namespace sms::detail
