#include <sms/adapter_kit.hpp>
#include <sms/retry.hpp>

#include "unit/core/recorded_message.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace {

using namespace sms;
using std::chrono::milliseconds;
namespace json = boost::json;

constexpr milliseconds longest(9'007'199'254'740'991);

// What differs on purpose from the recorded answers. The TypeScript SDK lets its date parser guess.
const std::map<std::string_view, std::optional<std::int64_t>> other_answers = {
    {"5.5", {}},
    {"+1", {}},
    {"in 5", {}},
    {"5,6", {}},
    {"retry 5", {}},
    {"30 Nov 2026 12:00:05 GMT", {}},
    {"Nov 30 2026 12:00:05 GMT", {}},
    {"2026-11-30T12:00:07Z", {}},
    {"2026-11-30", {}},
    {"2026-12-01", {}},
    {"Mon, 30 Nov 2026 13:00:05 +0100", {}},
    {"Mon, 30 Nov 2026 12:00:05 UTC", {}},
    {"Mon, 30 Nov 2026 12:00:05 Z", {}},
    {"Mon, 30 Nov 2026 23:59:60 GMT", 43'200'000},  // a leap second is the next minute
    {"99999999999999999999", longest.count()}};

TEST(RetryAfter, IsSecondsOrAnHttpDateAndNothingElse) {
  int compared = 0, deviations = 0;
  for (const auto& test : tests::recorded("redact.json").cases) {
    if (test.input.at("fn").as_string() != "parseRetryAfter") continue;
    SCOPED_TRACE(test.name);
    const std::string value(test.input.at("value").as_string());
    const auto answer = parse_retry_after(value, WallTime(milliseconds(test.input.at("now").as_int64())));
    if (const auto other = other_answers.find(value); other != other_answers.end()) {
      EXPECT_EQ(answer ? std::optional(answer->count()) : std::nullopt, other->second);
      ++deviations;
    } else if (test.output.is_int64()) {
      EXPECT_EQ(answer, milliseconds(test.output.get_int64()));
    } else if (test.output.is_null()) {
      EXPECT_EQ(answer, std::nullopt);
    } else {
      EXPECT_EQ(answer, longest) << "saturates";
    }
    ++compared;
  }
  EXPECT_EQ(compared, 38);
  EXPECT_EQ(deviations, 15);
}

TEST(RetryAfter, ReadsEachOfTheThreeDateForms) {
  const WallTime now = std::chrono::sys_days(std::chrono::year(1994) / 11 / 6) + std::chrono::hours(8);
  const milliseconds wait = std::chrono::minutes(49) + std::chrono::seconds(37);
  EXPECT_EQ(parse_retry_after("Sun, 06 Nov 1994 08:49:37 GMT", now), wait);
  EXPECT_EQ(parse_retry_after("Sunday, 06-Nov-94 08:49:37 GMT", now), wait);
  EXPECT_EQ(parse_retry_after("Sun Nov  6 08:49:37 1994", now), wait);
  EXPECT_EQ(parse_retry_after("Sun, 31 Feb 1994 08:49:37 GMT", now), std::nullopt);
  EXPECT_EQ(parse_retry_after("Sun, 06 Nov 1994 08:49:37 GMT ", now), wait);
  EXPECT_EQ(parse_retry_after("Sun, 06 Nov 1994 08:49:37 GMT x", now), std::nullopt);
  EXPECT_EQ(parse_retry_after("-1", now), std::nullopt);
}

TEST(RetryDelay, AnswersTheRecordedDecisions) {
  int compared = 0;
  for (const auto& test : tests::recorded("redact.json").cases) {
    if (test.input.at("fn").as_string() != "decideRetry") continue;
    SCOPED_TRACE(test.name);
    const json::object& recorded = test.input.at("options").as_object();
    const RetryOptions options{.max_attempts = static_cast<int>(recorded.at("maxAttempts").as_int64()),
                               .base_delay = milliseconds(recorded.at("baseDelayMs").as_int64()),
                               .max_delay = milliseconds(recorded.at("maxDelayMs").as_int64())};
    std::optional<milliseconds> retry_after;
    if (const auto number = conformance::number_in(test.input.at("retryAfterMs"))) {
      retry_after = std::isfinite(*number) ? milliseconds(static_cast<std::int64_t>(*number)) : longest;
    }
    const auto wait = retry_delay(options, static_cast<int>(test.input.at("attempt").as_int64()), retry_after,
                                  *conformance::number_in(test.input.at("random")));
    ++compared;
    if (retry_after == milliseconds(0)) {
      EXPECT_EQ(wait, milliseconds(250)) << "a wish of zero is a backoff";
      continue;
    }
    const auto* recorded_wait = test.output.as_object().if_contains("delayMs");
    ASSERT_EQ(wait.has_value(), recorded_wait != nullptr);
    if (wait) {
      EXPECT_EQ(wait->count(), recorded_wait->as_int64());
    }
  }
  EXPECT_EQ(compared, 7);
}

TEST(RetryDelay, OverflowsNothing) {
  const RetryOptions options{
      .max_attempts = 100, .base_delay = milliseconds(1'000'000'000'000), .max_delay = milliseconds(3'000'000'000'000)};
  EXPECT_EQ(retry_delay(options, 99, {}, 0.5), milliseconds(1'500'000'000'000));
}

TEST(RetryDelay, WaitsAtLeastAMillisecondAfterAWishOfZero) {
  EXPECT_EQ(retry_delay(RetryOptions{}, 1, milliseconds(0), 0.0), milliseconds(1));
}

}  // namespace
