#include "core/validation_rules.hpp"
#include "unit/core/recorded_adapters.hpp"
#include "unit/core/recorded_message.hpp"

#include <gtest/gtest.h>

namespace {

namespace json = boost::json;

// 30 November 2026, when the cases were recorded.
constexpr sms::WallTime now{std::chrono::milliseconds(1'796'040'000'000)};

json::object comparable(const sms::ValidationResult& result) {
  json::object out = json::parse(result.to_json()).as_object();
  for (json::value& issue : out.at("issues").as_array()) issue.as_object().erase("message");
  return out;
}

// What differs on purpose: a time in the past is refused here and sent at once there.
bool differs_on_purpose(const std::string& name) { return name.ends_with("sendAt past"); }

TEST(Validate, AnswersWhatTheTypeScriptSdkAnswers) {
  int compared = 0, unsayable = 0, deviations = 0;
  for (const auto& test : sms::tests::recorded("validate.json").cases) {
    SCOPED_TRACE(test.name + " " + json::serialize(test.input.at("message")).substr(0, 300));
    const json::array& names = test.input.at("adapters").as_array();
    const auto input = sms::tests::recorded_message(test.input);
    if (!input) {
      ++unsayable;
      continue;
    }
    if (differs_on_purpose(test.name)) {
      ++deviations;
      continue;
    }
    const auto adapters = sms::tests::recorded_adapters(names);
    EXPECT_EQ(json::serialize(comparable(sms::detail::validate(*input, adapters, now))),
              json::serialize(test.output.at("validate")));

    const auto error = sms::detail::first_error(*input, adapters, now);
    const json::object& sent = test.output.at("send").as_object();
    ASSERT_EQ(error == nullptr, sent.at("ok").as_bool());
    if (error) {
      EXPECT_EQ(error->name(), sent.at("class").as_string());
      EXPECT_EQ(to_string(error->code()), sent.at("code").as_string());
      EXPECT_EQ(error->retry_safe(), sent.at("retrySafe").as_bool());
    }
    ++compared;
  }
  EXPECT_EQ(compared, 823);
  EXPECT_EQ(unsayable, 152);
  EXPECT_EQ(deviations, 8);
}

}  // namespace
