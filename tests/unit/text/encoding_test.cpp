#include <sms/encoding.hpp>

#include "conformance/vector_file.hpp"

#include <gmock/gmock.h>

#include <string>

namespace {

using sms::Encoding;
using sms::estimate_segments;
using testing::ElementsAre;
using testing::IsEmpty;

std::string repeat(std::string_view text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

TEST(Segments, AnEmptyBodyHasNoPart) {
  const auto estimate = estimate_segments("");
  EXPECT_EQ(estimate.segments, 0);
  EXPECT_EQ(estimate.remaining_in_segment, 160);
  EXPECT_TRUE(sms::is_gsm7(""));
}

TEST(Segments, OneMoreThan160SeptetsMakesTwoPartsOf153) {
  EXPECT_EQ(estimate_segments(repeat("a", 160)).segments, 1);
  const auto two = estimate_segments(repeat("a", 161));
  EXPECT_EQ(two.segments, 2);
  EXPECT_EQ(two.units_per_segment, 153);
  EXPECT_EQ(two.remaining_in_segment, 2 * 153 - 161);
}

TEST(Segments, AnExtensionCharacterIsNeverSplitBetweenParts) {
  const auto split = estimate_segments(repeat("a", 152) + "€" + repeat("a", 151));
  EXPECT_EQ(split.units, 305);
  EXPECT_EQ(split.segments, 2);
  EXPECT_EQ(split.remaining_in_segment, 0) << "the first part holds one septet less";
  EXPECT_EQ(estimate_segments(repeat("a", 152) + "€" + repeat("a", 152)).segments, 3);
}

TEST(Segments, ASurrogatePairIsNeverSplitBetweenParts) {
  const auto estimate = estimate_segments(repeat("я", 66) + "😀" + repeat("я", 65));
  EXPECT_EQ(estimate.units, 133);
  EXPECT_EQ(estimate.segments, 2);
  EXPECT_EQ(estimate.remaining_in_segment, 0);
}

TEST(Segments, OneCharacterOutsideTheAlphabetMakesTheWholeBodyUcs2) {
  const auto estimate = estimate_segments(repeat("{", 80) + "ç");
  EXPECT_EQ(estimate.encoding, Encoding::ucs2);
  EXPECT_EQ(estimate.units, 81) << "an extension character is one UTF-16 unit";
  EXPECT_THAT(estimate.non_gsm_characters, ElementsAre("ç"));
}

TEST(Segments, NonGsmCharactersAreDistinctAndInOrderOfAppearance) {
  EXPECT_THAT(estimate_segments("“日” a “😀日`").non_gsm_characters, ElementsAre("“", "日", "”", "😀", "`"));
}

TEST(Segments, ManyDistinctCharactersAreEachListedOnce) {
  std::string body;
  for (int code_point = 0x4E00; code_point < 0x4E00 + 5000; ++code_point) {
    body += {static_cast<char>(0xE0 | code_point >> 12), static_cast<char>(0x80 | (code_point >> 6 & 0x3F)),
             static_cast<char>(0x80 | (code_point & 0x3F))};
  }
  EXPECT_EQ(estimate_segments(body + body).non_gsm_characters.size(), 5000u);
}

TEST(Segments, EachInvalidByteCountsAsOneReplacementCharacter) {
  const auto estimate = estimate_segments("a\xE2\x82");
  EXPECT_EQ(estimate.units, 3);
  EXPECT_THAT(estimate.non_gsm_characters, ElementsAre("\xEF\xBF\xBD"));
  EXPECT_FALSE(sms::is_gsm7("a\xC3"));
}

TEST(Segments, TheFastPathSeesEveryPositionOfABlock) {
  for (std::size_t length = 0; length < 40; ++length) {
    for (std::size_t at = 0; at < length; ++at) {
      std::string body(length, 'x');
      body[at] = '|';
      EXPECT_EQ(estimate_segments(body).units, static_cast<int>(length) + 1);
      body[at] = '`';
      EXPECT_FALSE(sms::is_gsm7(body)) << length << ' ' << at;
    }
  }
}

TEST(Segments, AreWhatTheRecordedCasesSay) {
  const auto file = sms::conformance::read_vectors(SMS_VECTORS_DIR "/segments.json");
  int compared = 0;
  for (const auto& [name, input, output] : file.cases) {
    if (sms::conformance::has_lone_surrogate(input)) continue;
    const std::string body(input.at("body").as_string());
    const auto estimate = estimate_segments(body);
    EXPECT_EQ(sms::to_string(estimate.encoding), output.at("encoding").as_string()) << name;
    EXPECT_EQ(estimate.segments, output.at("segments").as_int64()) << name;
    EXPECT_EQ(estimate.units, output.at("units").as_int64()) << name;
    EXPECT_EQ(estimate.units_per_segment, output.at("unitsPerSegment").as_int64()) << name;
    EXPECT_EQ(estimate.remaining_in_segment, output.at("remainingInSegment").as_int64()) << name;
    EXPECT_EQ(estimate.contains_unicode, output.at("containsUnicode").as_bool()) << name;
    std::vector<std::string> characters;
    for (const auto& character : output.at("nonGsmCharacters").as_array()) {
      characters.emplace_back(character.as_string());
    }
    EXPECT_EQ(estimate.non_gsm_characters, characters) << name;
    EXPECT_EQ(sms::is_gsm7(body), output.at("isGsm7").as_bool()) << name;
    ++compared;
  }
  EXPECT_GT(compared, 170);
}

}  // namespace
