#include <sms/encoding.hpp>

#include <gmock/gmock.h>

#include <string>

namespace {

using sms::explain_segments;
using testing::ElementsAre;
using testing::IsEmpty;

struct Expectation {
  std::string body, kind;
  std::optional<std::string> look_alike;
};

class LookAlike : public testing::TestWithParam<Expectation> {};

TEST_P(LookAlike, IsNamedAndSuggested) {
  const auto explanation = explain_segments(GetParam().body);
  ASSERT_EQ(explanation.characters.size(), 1u);
  EXPECT_EQ(explanation.characters[0].kind, GetParam().kind);
  EXPECT_EQ(explanation.characters[0].look_alike, GetParam().look_alike);
  EXPECT_EQ(explanation.estimate.encoding, sms::Encoding::ucs2);
  const auto expected = GetParam().look_alike ? sms::Encoding::gsm7 : sms::Encoding::ucs2;
  EXPECT_EQ(explanation.with_look_alikes.encoding, expected);
}

INSTANTIATE_TEST_SUITE_P(
    Explain, LookAlike,
    testing::Values(Expectation{"it’s", "curly quote", "'"}, Expectation{"“", "curly quote", "\""},
                    Expectation{"1–2", "dash", "-"}, Expectation{"a — b", "dash", "-"},
                    Expectation{"wait…", "ellipsis", "..."}, Expectation{"a\u00A0b", "no-break space", " "},
                    Expectation{"a\u2009b", "special space", " "}, Expectation{"• one", "bullet", "*"},
                    Expectation{"a\u200Bb", "zero-width character", ""},
                    Expectation{"\uFEFFhello", "zero-width character", ""}, Expectation{"a\tb", "tab", " "},
                    Expectation{"`x", "backtick", "'"}, Expectation{"Ａ", "full-width character", "A"},
                    Expectation{"garçon", "accented letter", "c"}, Expectation{"fête", "accented letter", "e"},
                    Expectation{"Ł", "accented letter", "L"}, Expectation{"ế", "accented letter", "e"},
                    Expectation{"œ", "accented letter", "oe"}, Expectation{"™", "letter-like symbol", "TM"},
                    Expectation{"½", "fraction", "1/2"}, Expectation{"Α", "Greek letter", "A"},
                    Expectation{"а", "Cyrillic letter", "a"}, Expectation{"ﬁ", "ligature", "fi"},
                    Expectation{"𝗛", "styled letter", "H"}, Expectation{"😀", "emoji", std::nullopt},
                    Expectation{"日", "CJK character", std::nullopt},
                    Expectation{"ж", "Cyrillic letter", std::nullopt}));

TEST(Explain, FindsNothingInGsm7) {
  const auto explanation = explain_segments("Crème brûlée? No: Crème [brulée] 5€");
  EXPECT_THAT(explanation.characters.size(), 1u);
  EXPECT_THAT(explain_segments("Crème brulé 5€").characters, IsEmpty());
}

TEST(Explain, GivesThePositionInBytesAndInCharacters) {
  const auto explanation = explain_segments("é“x”");
  ASSERT_EQ(explanation.characters.size(), 2u);
  EXPECT_EQ(explanation.characters[1].byte_offset, 6u);
  EXPECT_EQ(explanation.characters[1].character_index, 3u);
  EXPECT_EQ(explanation.characters[1].code_point, U'”');
  EXPECT_EQ(explanation.characters[1].character, "”");
}

TEST(Explain, ShowsWhatTheLookAlikesWouldSave) {
  const std::string body = "It’s " + std::string(100, 'a') + "…";
  const auto explanation = explain_segments(body);
  EXPECT_EQ(explanation.estimate.segments, 2);
  EXPECT_EQ(explanation.with_look_alikes.segments, 1);
  EXPECT_EQ(explanation.with_look_alikes.units, 108);
}

TEST(Explain, SuggestsTheComposedLetterForALetterWithACombiningMark) {
  const auto explanation = explain_segments("cafe\u0301");
  ASSERT_EQ(explanation.characters.size(), 1u);
  const auto& pair = explanation.characters[0];
  EXPECT_EQ(pair.byte_offset, 3u);
  EXPECT_EQ(pair.character, "e\u0301");
  EXPECT_EQ(pair.code_point, U'\u0301');
  EXPECT_EQ(pair.look_alike, "é");
  EXPECT_EQ(explanation.with_look_alikes.units, 4);
}

TEST(Explain, DropsACombiningMarkThatMakesNoLetterOfGsm7) {
  EXPECT_EQ(explain_segments("o\u0302").characters.at(0).look_alike, "o");
  EXPECT_EQ(explain_segments("1\uFE0F\u20E3").characters.at(0).look_alike, "1");
}

TEST(Explain, LeavesAJoinedEmojiWhole) {
  const auto explanation = explain_segments("👨\u200D👩\u200D👧");
  ASSERT_EQ(explanation.characters.size(), 5u);
  for (const auto& character : explanation.characters) EXPECT_EQ(character.look_alike, std::nullopt);
  EXPECT_EQ(explanation.with_look_alikes, explanation.estimate);
}

TEST(Explain, NamesAnInvalidByte) {
  const auto explanation = explain_segments("a\xFF");
  ASSERT_EQ(explanation.characters.size(), 1u);
  EXPECT_EQ(explanation.characters[0].kind, "invalid byte");
  EXPECT_EQ(explanation.characters[0].code_point, U'\uFFFD');
}

}  // namespace
