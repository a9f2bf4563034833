#include <sms/providers/telnyx.hpp>

#include "classify.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto adapter = [] {
    sms::TelnyxOptions options;
    options.api_key = "key";
    return sms::telnyx(options);
  }();
  sms::fuzz::classify(*adapter, data, size);
  return 0;
}
