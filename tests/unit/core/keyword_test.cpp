#include <sms/keywords.hpp>

#include "unit/core/recorded_message.hpp"

#include <gtest/gtest.h>

namespace {

using sms::detect_keyword;
using sms::Keyword;
using sms::KeywordKind;

std::string_view word_of(KeywordKind kind) {
  switch (kind) {
    case KeywordKind::opted_out:
      return "opted_out";
    case KeywordKind::opted_in:
      return "opted_in";
    case KeywordKind::help:
      return "help";
  }
  return "";
}

TEST(DetectKeyword, FindsWhatTheTypeScriptSdkFindsAndTheWordsOf2025) {
  int compared = 0;
  for (const auto& test : sms::tests::recorded("redact.json").cases) {
    if (test.input.at("fn").as_string() != "detectKeyword") continue;
    const std::string text(test.input.at("text").as_string());
    if (text == "REVOKE" || text == "OPTOUT") continue;
    SCOPED_TRACE(test.name);
    const auto found = detect_keyword(text);
    ASSERT_EQ(found.has_value(), !test.output.is_null());
    if (found) {
      EXPECT_EQ(found->keyword, test.output.at("keyword").as_string());
      EXPECT_EQ(word_of(found->kind), test.output.at("kind").as_string());
    }
    ++compared;
  }
  EXPECT_EQ(compared, 26);
  EXPECT_EQ(detect_keyword("revoke"), (Keyword{KeywordKind::opted_out, "REVOKE"}));
  EXPECT_EQ(detect_keyword("OptOut!"), (Keyword{KeywordKind::opted_out, "OPTOUT"}));
}

TEST(DetectKeyword, ComparesAsciiLettersOnly) {
  EXPECT_EQ(detect_keyword("ſtop"), std::nullopt);
  EXPECT_EQ(detect_keyword("ﬆop"), std::nullopt);
  EXPECT_EQ(detect_keyword("ınfo"), std::nullopt);
}

TEST(DetectKeyword, FindsConsentOnlyWhereItIsAskedFor) {
  EXPECT_EQ(detect_keyword("yes"), std::nullopt);
  EXPECT_EQ(detect_keyword("yes", true), (Keyword{KeywordKind::opted_in, "YES"}));
  EXPECT_EQ(detect_keyword("Start.", true), (Keyword{KeywordKind::opted_in, "START"}));
  EXPECT_EQ(detect_keyword("stop", true), (Keyword{KeywordKind::opted_out, "STOP"}));
}

}  // namespace
