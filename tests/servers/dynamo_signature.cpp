#include "servers/dynamo_signature.hpp"

#include <openssl/hmac.h>
#include <openssl/sha.h>

#include <ctime>
#include <sstream>

namespace sms::tests {
namespace {

std::string hex(const std::string& bytes) {
  std::string text;
  for (const char c : bytes) {
    char pair[3];
    std::snprintf(pair, sizeof pair, "%02x", static_cast<unsigned>(static_cast<unsigned char>(c)));
    text += pair;
  }
  return text;
}

std::string digest(const std::string& text) {
  unsigned char bytes[SHA256_DIGEST_LENGTH];
  SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), bytes);
  return {reinterpret_cast<const char*>(bytes), sizeof bytes};
}

std::string keyed(const std::string& key, const std::string& text) {
  unsigned char bytes[EVP_MAX_MD_SIZE];
  unsigned length = 0;
  HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), reinterpret_cast<const unsigned char*>(text.data()),
       text.size(), bytes, &length);
  return {reinterpret_cast<const char*>(bytes), length};
}

}  // namespace

std::string expected_authorization(const std::map<std::string, std::string>& headers, const std::string& body,
                                   const std::string& authorization, const std::string& access_key_id,
                                   const std::string& secret, const std::string& region) {
  const std::string mark = "SignedHeaders=";
  const auto begin = authorization.find(mark);
  if (begin == std::string::npos) return "no signed headers";
  const auto signed_names =
      authorization.substr(begin + mark.size(), authorization.find(',', begin) - begin - mark.size());
  std::string canonical = "POST\n/\n\n";
  std::istringstream names(signed_names);
  bool host = false, target = false;
  for (std::string name; std::getline(names, name, ';');) {
    const auto value = headers.find(name);
    canonical += name + ":" + (value == headers.end() ? "" : value->second) + "\n";
    host = host || name == "host";
    target = target || name == "x-amz-target";
  }
  if (!host || !target) return "too few headers are signed";
  canonical += "\n" + signed_names + "\n" + hex(digest(body));
  const auto date = headers.contains("x-amz-date") ? headers.at("x-amz-date") : "";
  const auto scope = date.substr(0, 8) + "/" + region + "/dynamodb/aws4_request";
  const auto to_sign = "AWS4-HMAC-SHA256\n" + date + "\n" + scope + "\n" + hex(digest(canonical));
  const auto key = keyed(keyed(keyed(keyed("AWS4" + secret, date.substr(0, 8)), region), "dynamodb"), "aws4_request");
  return "AWS4-HMAC-SHA256 Credential=" + access_key_id + "/" + scope + ", SignedHeaders=" + signed_names +
         ", Signature=" + hex(keyed(key, to_sign));
}

std::chrono::system_clock::time_point time_of_amz_date(const std::string& text) {
  std::tm time{};
  if (strptime(text.c_str(), "%Y%m%dT%H%M%SZ", &time) == nullptr) return {};
  return std::chrono::system_clock::from_time_t(timegm(&time));
}

}  // namespace sms::tests
