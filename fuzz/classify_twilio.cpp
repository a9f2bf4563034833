#include <sms/providers/twilio.hpp>

#include "classify.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto adapter = [] {
    sms::TwilioOptions options;
    options.account_sid = "AC0f1e2d3c4b5a69788796a5b4c3d2e1f0";
    options.auth_token = "token";
    return sms::twilio(options);
  }();
  sms::fuzz::classify(*adapter, data, size);
  return 0;
}
