#include <sms/adapter_kit.hpp>
#include <sms/error.hpp>
#include <sms/secret.hpp>

#include "core/base64.hpp"
#include "unit/core/recorded_message.hpp"

#include <gtest/gtest.h>

namespace {

using namespace sms;

TEST(BasicAuthorization, IsTheBase64OfUtf8) {
  int compared = 0;
  for (const auto& test : tests::recorded("redact.json").cases) {
    if (test.input.at("fn").as_string() != "basicAuthorization") continue;
    SCOPED_TRACE(test.name);
    const auto value = basic_authorization(std::string_view(test.input.at("username").as_string()),
                                           std::string_view(test.input.at("password").as_string()));
    ++compared;
    // The other SDK refuses what is not Latin-1.
    EXPECT_EQ(value, test.output.is_string() ? std::string(test.output.get_string()) : "Basic YTrwn5iA");
  }
  EXPECT_EQ(compared, 4);
}

TEST(Base64, DecodesEitherAlphabetWithOrWithoutPadding) {
  int compared = 0;
  for (const auto& test : tests::recorded("redact.json").cases) {
    if (test.input.at("fn").as_string() != "fromBase64") continue;
    SCOPED_TRACE(test.name);
    const auto bytes = detail::from_base64(std::string_view(test.input.at("text").as_string()));
    const auto* hex = test.output.as_object().if_contains("hex");
    ++compared;
    ASSERT_EQ(bytes.has_value(), hex != nullptr);
    if (!hex) continue;
    std::string shown;
    for (const char c : *bytes) {
      constexpr std::string_view digits = "0123456789abcdef";
      shown += digits[static_cast<unsigned char>(c) >> 4];
      shown += digits[static_cast<unsigned char>(c) & 15];
    }
    EXPECT_EQ(shown, hex->as_string());
  }
  EXPECT_EQ(compared, 10);
}

TEST(Base64, ReadsBackWhatItWrote) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) {
    EXPECT_EQ(detail::from_base64(detail::to_base64(bytes)), bytes);
    bytes += static_cast<char>(i);
  }
}

TEST(Iso8601, MatchesToIsoString) {
  const auto iso = [](std::int64_t ms) { return to_iso8601(WallTime(std::chrono::milliseconds(ms))); };
  EXPECT_EQ(iso(1'796'040'000'007), "2026-11-30T12:00:00.007Z");
  EXPECT_EQ(iso(0), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(iso(-1), "1969-12-31T23:59:59.999Z");
  EXPECT_EQ(iso(253'402'300'799'999), "9999-12-31T23:59:59.999Z");
  EXPECT_EQ(iso(253'402'300'800'000), "+010000-01-01T00:00:00.000Z");
  EXPECT_EQ(iso(-62'167'219'200'000), "0000-01-01T00:00:00.000Z");
  EXPECT_EQ(iso(-62'167'219'200'001), "-000001-12-31T23:59:59.999Z");
  EXPECT_EQ(iso(-8'640'000'000'000'000), "-271821-04-20T00:00:00.000Z");
}

TEST(ProviderId, IsPrintableAscii) {
  EXPECT_TRUE(is_provider_id("SM1"));
  EXPECT_TRUE(is_provider_id(std::string(255, 'x')));
  EXPECT_FALSE(is_provider_id(""));
  EXPECT_FALSE(is_provider_id(std::string(256, 'x')));
  EXPECT_FALSE(is_provider_id("a\nb"));
  EXPECT_FALSE(is_provider_id("é"));
}

TEST(Credential, CannotBreakAHeader) {
  EXPECT_NO_THROW(check_credential("apiKey", "pä ss"));
  for (const std::string& value : {std::string(), std::string("a\rb"), std::string("a\n"), std::string(1, '\0')}) {
    EXPECT_THROW(check_credential("apiKey", value), ConfigurationError);
  }
}

TEST(Secret, LeavesNothingBehindWhenItIsMoved) {
  Secret from("short");
  const char* const inner = from.reveal().data();
  const Secret to = std::move(from);
  EXPECT_EQ(to.reveal(), "short");
  EXPECT_TRUE(from.empty());
  EXPECT_EQ(std::string(inner, 5), std::string(5, '\0'));
}

TEST(Secret, IsAssignedWhole) {
  Secret a("one"), b(std::string(100, 'x'));
  a = b;
  EXPECT_EQ(a.reveal(), b.reveal());
  a = Secret("two");
  EXPECT_EQ(a.reveal(), "two");
  const Secret& self = a;
  a = self;
  EXPECT_EQ(a.reveal(), "two");
}

}  // namespace
