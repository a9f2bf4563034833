#include <sms/error.hpp>

#include "duration.hpp"
#include "nearest.hpp"
#include "sender_text.hpp"
#include "time_text.hpp"

#include <gtest/gtest.h>

#include <array>

namespace sms::cli {
namespace {

using namespace std::chrono_literals;

TEST(Duration, ReadsDigitsAndOneUnit) {
  EXPECT_EQ(parse_duration("500ms"), 500ms);
  EXPECT_EQ(parse_duration("10s"), 10s);
  EXPECT_EQ(parse_duration("5m"), 5min);
  EXPECT_EQ(parse_duration("24h"), 24h);
  EXPECT_EQ(parse_duration("7d"), 168h);
  EXPECT_EQ(parse_duration("0s"), 0ms);
}

TEST(Duration, RefusesWhatCouldMeanTwoThings) {
  for (const char* text :
       {"", "10", "s", "1.5s", "-1s", "+1s", "10 s", "10S", "1h30m", "10sec", "ten s", " 10s", "10s "}) {
    EXPECT_FALSE(parse_duration(text)) << text;
  }
}

TEST(Duration, RefusesWhatOverflows) {
  EXPECT_FALSE(parse_duration("99999999999999999999s"));
  EXPECT_FALSE(parse_duration("9223372036854775807s"));
  EXPECT_EQ(parse_duration("9223372036854775807ms"), std::chrono::milliseconds::max());
}

TEST(Duration, IsWrittenInTheLargestExactUnit) {
  EXPECT_EQ(format_duration(90s), "90s");
  EXPECT_EQ(format_duration(24h), "1d");
  EXPECT_EQ(format_duration(1500ms), "1500ms");
  EXPECT_EQ(format_duration(0ms), "0s");
}

TEST(Duration, ReadsBackWhatItWrites) {
  for (const auto duration : {1ms, 999ms, 60'000ms, 61'000ms, 86'400'000ms, 90'061'001ms}) {
    EXPECT_EQ(parse_duration(format_duration(duration)), duration);
  }
}

TEST(Age, IsShownInItsTwoLargestUnits) {
  EXPECT_EQ(format_age(76h + 5min), "3d 4h");
  EXPECT_EQ(format_age(12min + 5s), "12m 5s");
  EXPECT_EQ(format_age(2h), "2h");
  EXPECT_EQ(format_age(999ms), "0s");
  EXPECT_EQ(format_age(-5s), "0s");
}

TEST(EditDistance, CountsInsertionsDeletionsAndReplacements) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("ttl", "ttl"), 0U);
  EXPECT_EQ(edit_distance("tll", "ttl"), 1U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
}

TEST(Nearest, FindsWhatWasProbablyMeant) {
  constexpr std::array<std::string_view, 3> words{"timeout", "queue_timeout", "ttl"};
  EXPECT_EQ(nearest("time_out", words), "timeout");
  EXPECT_EQ(nearest("tll", words), "ttl");
  EXPECT_EQ(nearest("colour", words), std::nullopt);
}

TEST(Time, ReadsRfc3339InAnyZone) {
  const auto noon = WallTime(std::chrono::sys_days(std::chrono::year(2026) / 11 / 30) + 12h);
  EXPECT_EQ(parse_time("2026-11-30T12:00:00Z"), noon);
  EXPECT_EQ(parse_time("2026-11-30 12:00:00Z"), noon);
  EXPECT_EQ(parse_time("2026-11-30T14:00:00+02:00"), noon);
  EXPECT_EQ(parse_time("2026-11-30T06:30:00-05:30"), noon);
  EXPECT_EQ(parse_time("2026-11-30T12:00:00.5Z"), noon + 500ms);
  EXPECT_EQ(parse_time("2026-11-30T12:00:00.123456Z"), noon + 123ms);
}

TEST(Time, RefusesATimeWithoutItsZoneAndDaysThatDoNotExist) {
  for (const char* text :
       {"", "2026-11-30", "2026-11-30T12:00:00", "2026-02-30T12:00:00Z", "2026-13-01T12:00:00Z", "2026-11-30T24:00:00Z",
        "2026-11-30T12:60:00Z", "2026-11-30T12:00:00.Z", "26-11-30T12:00:00Z", "2026-11-30T12:00:00Zx",
        "2026-11-30T12:00:00+2:00", "2026-11-30T12:00:00+24:00", "now"}) {
    EXPECT_FALSE(parse_time(text)) << text;
  }
}

TEST(Sender, IsReadByItsPrefix) {
  EXPECT_EQ(parse_sender("+15550100001"), From(std::string("+15550100001")));
  EXPECT_EQ(parse_sender("sender:Bank Co"), From(SenderId{"Bank Co"}));
  EXPECT_EQ(parse_sender("short:89045"), From(ShortCode{"89045"}));
  EXPECT_EQ(parse_sender("service:MG00000000000000000000000000000001"),
            From(MessagingService{"MG00000000000000000000000000000001"}));
}

TEST(Sender, IsNeverGuessed) {
  EXPECT_THROW(parse_sender("89045"), InvalidSenderError);
  EXPECT_THROW(parse_sender("Bank"), InvalidSenderError);
  EXPECT_THROW(parse_sender("name:Bank"), InvalidSenderError);
  EXPECT_THROW(parse_sender(""), InvalidSenderError);
}

TEST(Sender, ReadsBackWhatItWritesAndMasksNumbers) {
  for (const char* text : {"+15550100001", "sender:Bank", "short:89045", "service:MG1"}) {
    EXPECT_EQ(format_sender(parse_sender(text)), text);
  }
  EXPECT_EQ(mask_sender(parse_sender("+15550100001")).find("5550100"), std::string::npos);
}

}  // namespace
}  // namespace sms::cli
