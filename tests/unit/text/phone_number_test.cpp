#include <sms/phone_number.hpp>

#include <gtest/gtest.h>

namespace {

using sms::is_e164;
using sms::mask_phone_number;

TEST(E164, IsAPlusAndTwoToFifteenDigitsThatDoNotBeginWithZero) {
  EXPECT_TRUE(is_e164("+14155550123"));
  EXPECT_TRUE(is_e164("+12"));
  EXPECT_TRUE(is_e164("+123456789012345"));
  EXPECT_FALSE(is_e164("+1234567890123456"));
  EXPECT_FALSE(is_e164("+1"));
  EXPECT_FALSE(is_e164("+0123"));
  EXPECT_FALSE(is_e164("14155550123"));
  EXPECT_FALSE(is_e164("+1415555o123"));
  EXPECT_FALSE(is_e164("+14155550123\n"));
  EXPECT_FALSE(is_e164("+1２"));
  EXPECT_FALSE(is_e164(""));
}

TEST(MaskPhoneNumber, KeepsThePlusTheFirstDigitAndTheLastTwo) {
  EXPECT_EQ(mask_phone_number("+14155550123"), "+1********23");
  EXPECT_EQ(mask_phone_number("14155550123"), "1********23");
  EXPECT_EQ(mask_phone_number("+1234"), "+1*34");
}

TEST(MaskPhoneNumber, MasksFourCharactersOrFewerWhole) {
  EXPECT_EQ(mask_phone_number(""), "");
  EXPECT_EQ(mask_phone_number("+123"), "****");
  EXPECT_EQ(mask_phone_number("xy😀"), "****") << "counted in UTF-16 units";
}

TEST(MaskPhoneNumber, NeverCutsACharacter) {
  EXPECT_EQ(mask_phone_number("😀😀😀"), "****😀");
  EXPECT_EQ(mask_phone_number("abcd😀x"), "a*****x");
}

}  // namespace
