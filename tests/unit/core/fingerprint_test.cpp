#include <sms/fingerprint.hpp>

#include "unit/core/recorded_adapters.hpp"
#include "unit/core/recorded_message.hpp"

#include <gtest/gtest.h>

namespace {

TEST(Fingerprint, IsByteForByteThatOfTheTypeScriptSdk) {
  int compared = 0, unsayable = 0;
  for (const auto& test : sms::tests::recorded("fingerprint.json").cases) {
    SCOPED_TRACE(test.name);
    const auto input = sms::tests::recorded_message(test.input);
    if (!input) {
      ++unsayable;
      continue;
    }
    const auto adapters = sms::tests::recorded_adapters(test.input.at("adapters").as_array());
    EXPECT_EQ(sms::canonical_text(*input, adapters), test.output.at("canonical").as_string());
    EXPECT_EQ(sms::fingerprint(*input, adapters), test.output.at("fingerprint").as_string());
    ++compared;
  }
  EXPECT_EQ(compared, 75);
  EXPECT_EQ(unsayable, 15);
}

TEST(Fingerprint, TellsTheCallersSenderFromTheAdaptersDefault) {
  const auto adapters = sms::tests::recorded_adapters({"twilio"});
  sms::SendInput input{.to = "+14155550123", .body = "m"};
  const std::string by_default = sms::fingerprint(input, adapters);
  input.from = sms::From(std::string("+15005550006"));
  EXPECT_NE(sms::fingerprint(input, adapters), by_default);
}

TEST(Fingerprint, HoldsYearsBeyondFourDigitsAsJavaScriptWritesThem) {
  sms::SendInput input{.to = "+14155550123", .body = "m"};
  input.send_at = sms::WallTime(std::chrono::milliseconds(8'640'000'000'000'000));
  EXPECT_EQ(sms::canonical_text(input, {}), R"(["+14155550123",null,"m",[],"+275760-09-13T00:00:00.000Z",null,null])");
}

}  // namespace
