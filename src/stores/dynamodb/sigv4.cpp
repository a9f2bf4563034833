#include "stores/dynamodb/sigv4.hpp"

#include "core/sha256.hpp"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <stdexcept>

namespace sms::detail {
namespace {

constexpr std::string_view algorithm = "AWS4-HMAC-SHA256";
using Digest = std::array<unsigned char, 32>;

Digest hmac(std::string_view key, std::string_view text) {
  Digest digest{};
  unsigned length = 0;
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  if (HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), bytes, text.size(), digest.data(), &length) ==
      nullptr) {
    throw std::runtime_error("OpenSSL cannot compute HMAC-SHA-256");
  }
  return digest;
}
std::string_view as_text(const Digest& digest) { return {reinterpret_cast<const char*>(digest.data()), digest.size()}; }

std::string hex(const Digest& digest) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : digest) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

bool is_unreserved(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
         c == '_' || c == '~';
}

std::string percent_encoded(std::string_view text) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (is_unreserved(c)) {
      out += c;
    } else {
      out.append(1, '%').append(1, digits[byte >> 4]).append(1, digits[byte & 15]);
    }
  }
  return out;
}

std::string canonical_query(const SignedParts& parts) {
  std::vector<std::pair<std::string, std::string>> encoded;
  for (const auto& [name, value] : parts.query) encoded.emplace_back(percent_encoded(name), percent_encoded(value));
  std::ranges::sort(encoded);
  std::string text;
  for (const auto& [name, value] : encoded) text.append(text.empty() ? "" : "&").append(name).append("=").append(value);
  return text;
}

/// Without blanks around it, and one blank where there were several.
std::string trimmed(std::string_view value) {
  std::string out;
  for (const char c : value) {
    const bool blank = c == ' ' || c == '\t';
    if (!blank) {
      out += c;
    } else if (!out.empty() && out.back() != ' ') {
      out += ' ';
    }
  }
  if (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

/// By lower-case name; the values of one name stay in their order.
std::map<std::string, std::string> canonical_headers(const SignedParts& parts) {
  std::map<std::string, std::string> headers;
  for (const auto& header : parts.headers) {
    std::string name = header.name;
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const auto [at, first] = headers.try_emplace(name, trimmed(header.value));
    if (!first) at->second += "," + trimmed(header.value);
  }
  return headers;
}

std::string signed_names(const SignedParts& parts) {
  std::string names;
  for (const auto& [name, value] : canonical_headers(parts)) names.append(names.empty() ? "" : ";").append(name);
  return names;
}

std::string scope_text(const SigningScope& scope, WallTime at) {
  return amz_date(at).substr(0, 8) + "/" + scope.region + "/" + scope.service + "/aws4_request";
}

std::string signature(const SignedParts& parts, const SigningScope& scope, const AwsCredentials& credentials,
                      WallTime at) {
  const Secret seed("AWS4" + credentials.secret_access_key.reveal());
  const auto day = hmac(seed.reveal(), amz_date(at).substr(0, 8));
  const auto region = hmac(as_text(day), scope.region);
  const auto service = hmac(as_text(region), scope.service);
  const auto key = hmac(as_text(service), "aws4_request");
  return hex(hmac(as_text(key), string_to_sign(parts, scope, at)));
}

}  // namespace

std::string canonical_request(const SignedParts& parts) {
  std::string text = parts.method + "\n" + parts.path + "\n" + canonical_query(parts) + "\n";
  for (const auto& [name, value] : canonical_headers(parts)) text.append(name).append(":").append(value).append("\n");
  return text + "\n" + signed_names(parts) + "\n" + sha256_hex(parts.body);
}

std::string string_to_sign(const SignedParts& parts, const SigningScope& scope, WallTime at) {
  return std::string(algorithm) + "\n" + amz_date(at) + "\n" + scope_text(scope, at) + "\n" +
         sha256_hex(canonical_request(parts));
}

std::string authorization(const SignedParts& parts, const SigningScope& scope, const AwsCredentials& credentials,
                          WallTime at) {
  return std::string(algorithm) + " Credential=" + credentials.access_key_id + "/" + scope_text(scope, at) +
         ", SignedHeaders=" + signed_names(parts) + ", Signature=" + signature(parts, scope, credentials, at);
}

std::string amz_date(WallTime at) {
  const auto day = std::chrono::floor<std::chrono::days>(at);
  const std::chrono::year_month_day date{day};
  const std::chrono::hh_mm_ss time(std::chrono::floor<std::chrono::seconds>(at - day));
  std::string text;
  const auto append = [&text](std::int64_t number, std::size_t width) {
    const auto digits = std::to_string(number);
    text.append(width > digits.size() ? width - digits.size() : 0, '0').append(digits);
  };
  append(static_cast<int>(date.year()), 4);
  append(static_cast<unsigned>(date.month()), 2);
  append(static_cast<unsigned>(date.day()), 2);
  text += 'T';
  append(time.hours().count(), 2);
  append(time.minutes().count(), 2);
  append(time.seconds().count(), 2);
  return text + 'Z';
}

void sign(HttpRequest& request, const std::string& host, const SigningScope& scope, const AwsCredentials& credentials,
          WallTime at) {
  request.headers.push_back({"X-Amz-Date", amz_date(at)});
  if (!credentials.session_token.empty()) {
    request.headers.push_back({"X-Amz-Security-Token", credentials.session_token.reveal()});
  }
  SignedParts parts;
  parts.method = request.method;
  parts.headers = request.headers;
  parts.headers.push_back({"Host", host});
  parts.body = request.body;
  request.headers.push_back({"Authorization", authorization(parts, scope, credentials, at)});
}

}  // namespace sms::detail
