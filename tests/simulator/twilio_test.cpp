#include "simulator/judged.hpp"

#include <chrono>
#include <ctime>
#include <thread>

namespace sms::tests {
namespace {

using namespace std::chrono_literals;
using ::testing::MatchesRegex;
using ::testing::StartsWith;

class SimulatedTwilio : public Judged {
 protected:
  std::int64_t code_of(const std::string& form) {
    const auto reply = ask(twilio_post(form));
    EXPECT_EQ(reply.status, 400) << form;
    const auto body = object_of(reply.body);
    EXPECT_EQ(body.at("status").as_int64(), 400);
    EXPECT_EQ(body.at("more_info").as_string(),
              "https://www.twilio.com/docs/errors/" + std::to_string(body.at("code").as_int64()));
    return body.at("code").as_int64();
  }
  boost::json::object look_up(const std::string& target) {
    return object_of(ask(http_request("GET", target, {account_header})).body);
  }
};

constexpr const char* right = "To=%2B14155550123&From=%2B15550100001&Body=Hi";
constexpr const char* service = "MessagingServiceSid=MG00000000000000000000000000000003";

std::string in_minutes(int minutes) {
  const auto at = std::time(nullptr) + minutes * 60;
  std::tm parts{};
  gmtime_r(&at, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

TEST_F(SimulatedTwilio, MakesAMessageAndAnswersWithTheDocumentedResource) {
  const auto reply = ask(twilio_post("To=%2B14155550123&From=%2B15550100001&Body=Gr%C3%BC%C3%9Fe+%26+mehr"));
  EXPECT_EQ(reply.status, 201);
  EXPECT_EQ(reply.headers.at("content-type"), "application/json");
  EXPECT_THAT(reply.headers.at("twilio-request-id"), MatchesRegex("RQ[0-9a-f]{32}"));
  const auto body = object_of(reply.body);
  const std::string sid(body.at("sid").as_string());
  EXPECT_THAT(sid, MatchesRegex("SM[0-9a-f]{32}"));
  EXPECT_EQ(body.at("status").as_string(), "queued");
  EXPECT_EQ(body.at("account_sid").as_string(), account);
  EXPECT_EQ(body.at("to").as_string(), "+14155550123");
  EXPECT_EQ(body.at("from").as_string(), "+15550100001");
  EXPECT_EQ(body.at("body").as_string(), "Grüße & mehr");
  EXPECT_TRUE(body.at("messaging_service_sid").is_null());
  EXPECT_TRUE(body.at("error_code").is_null());
  EXPECT_TRUE(body.at("date_sent").is_null());
  EXPECT_EQ(body.at("uri").as_string(), std::string("/2010-04-01/Accounts/") + account + "/Messages/" + sid + ".json");
  EXPECT_EQ(simulator.messages(), 1U);
}

TEST_F(SimulatedTwilio, GivesEachMessageAnIdOfItsOwn) {
  Wire wire(simulator.port());
  const auto first = object_of(wire.exchange(twilio_send("same")).body).at("sid");
  const auto second = object_of(wire.exchange(twilio_send("same")).body).at("sid");
  EXPECT_NE(first, second);
  EXPECT_EQ(simulator.messages_with_body("same"), 2U);
}

TEST_F(SimulatedTwilio, TakesMediaServicesAndNames) {
  const auto with_media = object_of(
      ask(twilio_post(
              "To=%2B14155550123&From=%2B15550100001&MediaUrl=https://a.example/1&MediaUrl=https://a.example/2"))
          .body);
  EXPECT_THAT(std::string(with_media.at("sid").as_string()), StartsWith("MM"));
  EXPECT_EQ(with_media.at("num_media").as_string(), "2");
  const auto by_service = object_of(ask(twilio_post(std::string("To=%2B14155550123&Body=Hi&") + service)).body);
  EXPECT_EQ(by_service.at("status").as_string(), "accepted");
  EXPECT_TRUE(by_service.at("from").is_null());
  EXPECT_EQ(by_service.at("messaging_service_sid").as_string(), "MG00000000000000000000000000000003");
  EXPECT_EQ(ask(twilio_post("To=%2B14155550123&From=Shop+24&Body=Hi")).status, 201);
  EXPECT_EQ(ask(twilio_post("To=%2B14155550123&From=12345&Body=Hi")).status, 201);
}

TEST_F(SimulatedTwilio, RefusesWhatTheRealOneRefuses) {
  const std::string to = "To=%2B14155550123&";
  const std::string from = "From=%2B15550100001&";
  EXPECT_EQ(code_of(from + "Body=Hi"), 21604);
  EXPECT_EQ(code_of(to + "Body=Hi"), 21603);
  EXPECT_EQ(code_of(to + from), 21602);
  EXPECT_EQ(code_of(from + "To=14155550123&Body=Hi"), 21211);
  EXPECT_EQ(code_of(from + "To=%2B0415555&Body=Hi"), 21211);
  EXPECT_EQ(code_of(to + "From=TwelveLetter&Body=Hi"), 21212);
  EXPECT_EQ(code_of(to + "MessagingServiceSid=MG1&Body=Hi"), 21701);
  EXPECT_EQ(code_of(to + from + "Body=" + std::string(1601, 'a')), 21617);
  EXPECT_EQ(code_of(to + from + "Body=Hi&StatusCallback=hooks.example.com"), 21609);
  std::string media;
  for (int i = 0; i < 11; ++i) media += "&MediaUrl=https://a.example/" + std::to_string(i);
  EXPECT_EQ(code_of(right + media), 21623);
  EXPECT_EQ(simulator.messages(), 0U);
  EXPECT_EQ(simulator.requests(), 10U);
}

TEST_F(SimulatedTwilio, CountsTheBodyInUtf16Units) {
  std::string body;
  for (int i = 0; i < 800; ++i) body += "%F0%9F%98%80";
  EXPECT_EQ(ask(twilio_send(body)).status, 201);
  EXPECT_EQ(code_of("To=%2B14155550123&From=%2B15550100001&Body=a" + body), 21617);
}

TEST_F(SimulatedTwilio, AnswersTheTestNumbersWithTheirCodes) {
  const std::map<std::string, int> recipients = {{"1", 21211}, {"2", 21612}, {"3", 21408}, {"4", 21610}, {"9", 21614}};
  for (const auto& [digit, code] : recipients) {
    EXPECT_EQ(code_of("To=%2B1500555000" + digit + "&From=%2B15550100001&Body=Hi"), code);
  }
  const std::map<std::string, int> senders = {{"1", 21212}, {"7", 21606}, {"8", 21611}};
  for (const auto& [digit, code] : senders) {
    EXPECT_EQ(code_of("To=%2B14155550123&From=%2B1500555000" + digit + "&Body=Hi"), code);
  }
  EXPECT_EQ(ask(twilio_post("To=%2B14155550123&From=%2B15005550006&Body=Hi")).status, 201);
}

TEST_F(SimulatedTwilio, SchedulesOnlyForAServiceAndOnlyInItsWindow) {
  const std::string to = "To=%2B14155550123&Body=Hi&ScheduleType=fixed";
  const std::string by_service = to + "&" + service;
  EXPECT_EQ(code_of(to + "&From=%2B15550100001&SendAt=" + in_minutes(20)), 35118);
  EXPECT_EQ(code_of(by_service), 35111);
  EXPECT_EQ(code_of(by_service + "&SendAt=" + in_minutes(2)), 35115);
  EXPECT_EQ(code_of(by_service + "&SendAt=" + in_minutes(36 * 24 * 60)), 35115);
  EXPECT_EQ(code_of(by_service + "&SendAt=tomorrow"), 35115);
  const auto reply = ask(twilio_post(by_service + "&SendAt=" + in_minutes(20)));
  EXPECT_EQ(object_of(reply.body).at("status").as_string(), "scheduled");
}

TEST_F(SimulatedTwilio, RefusesStrangers) {
  const std::string form_type = "Content-Type: application/x-www-form-urlencoded";
  for (const std::string& credentials :
       {std::string("X-No: authorization"), std::string("Authorization: Bearer key"),
        std::string("Authorization: Basic QUMwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMjp0b2tlbg=="),
        std::string("Authorization: Basic QUMwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMTppbnZhbGlk")}) {
    const auto reply = ask(http_request("POST", twilio_path(), {credentials, form_type}, right));
    EXPECT_EQ(reply.status, 401) << credentials;
    EXPECT_EQ(object_of(reply.body).at("code").as_int64(), 20003);
    EXPECT_THAT(reply.headers.at("www-authenticate"), StartsWith("Basic"));
  }
  EXPECT_EQ(ask(http_request("POST", twilio_path(), {key_header, form_type}, right)).status, 201);
  EXPECT_EQ(simulator.messages(), 1U);
}

TEST_F(SimulatedTwilio, ReadsFieldsFromFormsOnly) {
  const auto reply = ask(http_request("POST", twilio_path(), {account_header, "Content-Type: application/json"},
                                      R"({"To":"+14155550123"})"));
  EXPECT_EQ(object_of(reply.body).at("code").as_int64(), 21604);
}

TEST_F(SimulatedTwilio, LooksAMessageUpWhichCountsAsSentAfterASecond) {
  const auto made = object_of(ask(twilio_send("Hi")).body);
  const auto uri = std::string(made.at("uri").as_string());
  EXPECT_EQ(look_up(uri), made);
  std::this_thread::sleep_for(1100ms);
  EXPECT_EQ(look_up(uri).at("status").as_string(), "sent");
  EXPECT_TRUE(look_up(uri).at("date_sent").is_string());
}

TEST_F(SimulatedTwilio, DoesNotKnowOtherMessages) {
  const auto telnyx = object_of(ask(telnyx_send("Hi")).body);
  const std::string folder = std::string("/2010-04-01/Accounts/") + account + "/Messages/";
  for (const std::string& id :
       {std::string("SM00000000000000000000000000000009"), std::string(telnyx.at("data").at("id").as_string())}) {
    const auto reply = ask(http_request("GET", folder + id + ".json", {account_header}));
    EXPECT_EQ(reply.status, 404);
    EXPECT_EQ(object_of(reply.body).at("code").as_int64(), 20404);
  }
  EXPECT_EQ(get(folder + "SM00000000000000000000000000000009.json").status, 401);
}

TEST_F(SimulatedTwilio, ListsMessagesNewestFirstInPages) {
  for (const char* body : {"1", "2", "3", "4", "5"}) ask(twilio_send(body));
  ask(twilio_post("To=%2B14155550199&From=%2B15550100001&Body=other"));
  std::string bodies;
  std::string target = twilio_path() + "?To=%2B14155550123&PageSize=2";
  for (int page = 0; page < 3; ++page) {
    const auto list = look_up(target);
    EXPECT_EQ(list.at("page").as_int64(), page);
    for (const auto& message : list.at("messages").as_array()) bodies += message.at("body").as_string();
    target = list.at("next_page_uri").is_null() ? "" : std::string(list.at("next_page_uri").as_string());
  }
  EXPECT_EQ(bodies, "54321");
  EXPECT_EQ(target, "");
  EXPECT_TRUE(look_up(twilio_path() + "?To=%2B14155550123&From=%2B1999").at("messages").as_array().empty());
  EXPECT_TRUE(look_up(twilio_path() + "?Page=18446744073709551615").at("messages").as_array().empty());
}

TEST_F(SimulatedTwilio, FindsByTheSentDateOnlyWhatIsSent) {
  ask(twilio_send("Hi"));
  const auto today = in_minutes(0).substr(0, 10);
  const auto found = [&](const std::string& filter) {
    return look_up(twilio_path() + "?" + filter).at("messages").as_array().size();
  };
  EXPECT_EQ(found("DateSent%3E=2020-01-01"), 0U) << "it is still queued";
  std::this_thread::sleep_for(1100ms);
  EXPECT_EQ(found("DateSent%3E=2020-01-01"), 1U);
  EXPECT_EQ(found("DateSent%3E=" + in_minutes(5)), 0U);
  EXPECT_EQ(found("DateSent%3C=" + in_minutes(5)), 1U);
  EXPECT_EQ(found("DateSent=2020-01-01"), 0U);
  EXPECT_EQ(found("DateSent=" + today) + found("DateSent=" + in_minutes(-5).substr(0, 10)) > 0, true);
}

}  // namespace
}  // namespace sms::tests
