#pragma once

#include "simulator/simulator.hpp"
#include "simulator/wire.hpp"

#include <boost/json.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace sms::tests {

constexpr const char* account = "AC00000000000000000000000000000001";
/// Basic authentication of that account, and of an API key, with the secret `token`.
constexpr const char* account_header = "Authorization: Basic QUMwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMTp0b2tlbg==";
constexpr const char* key_header = "Authorization: Basic U0swMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMTp0b2tlbg==";

inline std::string twilio_path() { return std::string("/2010-04-01/Accounts/") + account + "/Messages.json"; }

inline std::string twilio_post(const std::string& form) {
  return http_request("POST", twilio_path(), {account_header, "Content-Type: application/x-www-form-urlencoded"}, form);
}
/// A right one, to +14155550123 from +15550100001.
inline std::string twilio_send(const std::string& body) {
  return twilio_post("To=%2B14155550123&From=%2B15550100001&Body=" + body);
}

inline std::string telnyx_post(const std::string& json) {
  return http_request("POST", "/v2/messages", {"Authorization: Bearer key", "Content-Type: application/json"}, json);
}
inline std::string telnyx_send(const std::string& body) {
  return telnyx_post(R"({"to":"+14155550123","from":"+15550100002","text":")" + body + "\"}");
}

inline boost::json::object object_of(const std::string& text) { return boost::json::parse(text).as_object(); }

/// A simulator, and one connection at a time to it.
class Judged : public ::testing::Test {
 protected:
  Reply ask(const std::string& request) { return Wire(simulator.port()).exchange(request); }
  Reply get(const std::string& target) { return ask(http_request("GET", target, {})); }
  boost::json::object ledger() const { return object_of(simulator.ledger_json()); }

  simulator::Simulator simulator{{}};
};

}  // namespace sms::tests
