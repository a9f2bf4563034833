#include <sms/encoding.hpp>
#include <sms/phone_number.hpp>
#include <sms/redaction.hpp>

#include "core/gsm7.hpp"
#include "core/text.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>
#include <vector>

namespace {

/// Characters at which encodings, masks and cuts change their mind.
rc::Gen<std::string> arbitrary_text() {
  const auto piece =
      rc::gen::element<std::string>("a", "7", "0123456", "+", " ", "\n", "{", "€", "é", "e\u0301", "я", "“", "😀",
                                    "\u200D", "\u2003", "\xFF", "\xE2\x82", std::string(60, 'x'));
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(piece), [](const std::vector<std::string>& pieces) {
    std::string text;
    for (const auto& p : pieces) text += p;
    return text;
  });
}

/// The rule written as slowly and plainly as possible.
int parts_of(std::string_view body, bool gsm7) {
  std::vector<int> sizes;
  int total = 0;
  while (!body.empty()) {
    const auto next = sms::detail::decode_utf8(body);
    const int size = gsm7 ? sms::detail::gsm7_septets(next.code_point) : next.code_point > 0xFFFF ? 2 : 1;
    sizes.push_back(size);
    total += size;
    body.remove_prefix(next.length);
  }
  if (total == 0) return 0;
  if (total <= (gsm7 ? 160 : 70)) return 1;
  int parts = 1, used = 0;
  for (int size : sizes) {
    if (used + size > (gsm7 ? 153 : 67)) ++parts, used = 0;
    used += size;
  }
  return parts;
}

TEST(TextProperties, RedactedTextIsValidUtf8OfAtMost200Units) {
  EXPECT_TRUE(rc::check([] {
    const auto text = *arbitrary_text();
    for (const auto& redacted : {sms::redact_text(text), sms::redact_provider_text(text, text, "+14155550123")}) {
      RC_ASSERT(sms::detail::is_valid_utf8(redacted));
      RC_ASSERT(sms::detail::utf16_length(redacted) <= 200u);
    }
  }));
}

TEST(TextProperties, AMaskedNumberKeepsItsLengthAndIsValidUtf8) {
  EXPECT_TRUE(rc::check([] {
    const auto text = *arbitrary_text();
    const auto masked = sms::mask_phone_number(text);
    RC_ASSERT(sms::detail::is_valid_utf8(masked));
    RC_ASSERT(sms::detail::utf16_length(masked) == sms::detail::utf16_length(text));
  }));
}

TEST(TextProperties, PartsAreThoseOfThePlainRule) {
  EXPECT_TRUE(rc::check([] {
    const auto body = *arbitrary_text();
    const auto estimate = sms::estimate_segments(body);
    const bool gsm7 = estimate.encoding == sms::Encoding::gsm7;
    RC_ASSERT(gsm7 == sms::is_gsm7(body));
    RC_ASSERT(estimate.non_gsm_characters.empty() == gsm7);
    RC_ASSERT(estimate.segments == parts_of(body, gsm7));
  }));
}

TEST(TextProperties, AnExplanationEndsInGsm7WhenEverythingHasALookAlike) {
  EXPECT_TRUE(rc::check([] {
    const auto body = *arbitrary_text();
    const auto explanation = sms::explain_segments(body);
    bool all = true;
    for (const auto& character : explanation.characters) {
      RC_ASSERT((!character.look_alike || sms::is_gsm7(*character.look_alike)));
      all = all && character.look_alike;
    }
    RC_ASSERT((explanation.with_look_alikes.encoding == sms::Encoding::gsm7) == all);
  }));
}

}  // namespace
