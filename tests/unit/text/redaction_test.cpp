#include <sms/phone_number.hpp>
#include <sms/redaction.hpp>

#include "conformance/vector_file.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

using sms::redact_provider_text;
using sms::redact_text;

TEST(RedactText, MasksPhoneNumbersInTheirUsualForms) {
  EXPECT_EQ(redact_text("to +14155550123 failed"), "to +1********23 failed");
  EXPECT_EQ(redact_text("call (415) 555-0123 now"), "call (4*******23 now");
  EXPECT_EQ(redact_text("415\u2003555\u00A00123"), "4*******23");
  EXPECT_EQ(redact_text("415+5550123"), "415+5****23");
}

TEST(RedactText, LeavesShortRunsOfDigits) { EXPECT_EQ(redact_text("code 123456 ok"), "code 123456 ok"); }

TEST(RedactText, TurnsRunsOfControlCharactersIntoOneSpaceAndTrims) {
  EXPECT_EQ(redact_text("\u0001a\tb\r\n\x7F\u00A0"), "a b");
}

TEST(RedactText, CutsTo200UnitsButNeverACharacter) {
  EXPECT_EQ(redact_text(std::string(200, 'x')), std::string(200, 'x'));
  EXPECT_EQ(redact_text(std::string(201, 'x')), std::string(199, 'x') + "…");
  EXPECT_EQ(redact_text(std::string(198, 'x') + "😀z"), std::string(198, 'x') + "…");
  EXPECT_EQ(redact_text(std::string(197, 'x') + "😀zz"), std::string(197, 'x') + "😀…");
}

TEST(RedactText, ReplacesInvalidBytes) { EXPECT_EQ(redact_text("a\xFFz"), "a\uFFFDz"); }

TEST(RedactProviderText, HidesAOneTimeCodeThatTheProviderEchoes) {
  EXPECT_EQ(redact_provider_text("Body: your code is 4711!", "Your code is 4711", "+14155550123"),
            "Body: your code is ****!");
  EXPECT_EQ(redact_provider_text("got 91827364", "code 91827364", "+14155550123"), "got ********");
}

TEST(RedactProviderText, HidesPiecesOfTheRecipient) {
  EXPECT_EQ(redact_provider_text("line 0123 of +1-415-555-0123", "hi", "+14155550123"), "line **** of +1********23");
}

TEST(RedactProviderText, KeepsDigitsThatAreNotOfTheMessage) {
  EXPECT_EQ(redact_provider_text("error 21610, 411", "code 411", "+14155550123"), "error 21610, 411");
}

TEST(Redaction, IsWhatTheRecordedCasesSay) {
  const auto file = sms::conformance::read_vectors(SMS_VECTORS_DIR "/redact.json");
  int compared = 0;
  for (const auto& [name, input, output] : file.cases) {
    const auto* text = input.if_contains("text");
    if (!text || sms::conformance::has_lone_surrogate(input) || sms::conformance::has_lone_surrogate(output)) continue;
    const std::string value(text->as_string());
    if (input.at("fn") == "maskPhoneNumber") {
      EXPECT_EQ(sms::mask_phone_number(value), output.as_string()) << name;
    } else if (input.at("fn") == "redactText") {
      EXPECT_EQ(redact_text(value), output.as_string()) << name;
    } else if (input.at("fn") == "isE164") {
      EXPECT_EQ(sms::is_e164(value), output.as_bool()) << name;
    } else {
      continue;
    }
    ++compared;
  }
  EXPECT_GT(compared, 55);
}

}  // namespace
