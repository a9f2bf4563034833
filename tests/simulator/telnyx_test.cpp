#include "simulator/judged.hpp"

#include <utility>
#include <vector>

namespace sms::tests {
namespace {

using ::testing::MatchesRegex;

class SimulatedTelnyx : public Judged {
 protected:
  /// Status, code and pointer of the first error.
  static std::string error_of(const Reply& reply) {
    const auto error = object_of(reply.body).at("errors").at(0).as_object();
    EXPECT_FALSE(error.at("title").as_string().empty());
    EXPECT_FALSE(error.at("detail").as_string().empty());
    auto text = std::to_string(reply.status) + " " + std::string(error.at("code").as_string());
    if (const auto* source = error.if_contains("source")) text += " " + std::string(source->at("pointer").as_string());
    return text;
  }
};

TEST_F(SimulatedTelnyx, MakesAMessageAndAnswersWithTheDocumentedResource) {
  const auto reply = ask(telnyx_post(
      R"({"to":"+14155550123","from":"+15550100002","text":"Grüße","webhook_url":"https://hooks.example.com/t/1"})"));
  EXPECT_EQ(reply.status, 200);
  EXPECT_THAT(reply.headers.at("x-request-id"), MatchesRegex("[0-9a-f-]{36}"));
  const auto data = object_of(reply.body).at("data").as_object();
  EXPECT_THAT(std::string(data.at("id").as_string()),
              MatchesRegex("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}"));
  EXPECT_EQ(data.at("record_type").as_string(), "message");
  EXPECT_EQ(data.at("type").as_string(), "SMS");
  EXPECT_EQ(data.at("from").at("phone_number").as_string(), "+15550100002");
  EXPECT_EQ(data.at("to").at(0).at("phone_number").as_string(), "+14155550123");
  EXPECT_EQ(data.at("to").at(0).at("status").as_string(), "queued");
  EXPECT_EQ(data.at("text").as_string(), "Grüße");
  EXPECT_EQ(data.at("webhook_url").as_string(), "https://hooks.example.com/t/1");
  EXPECT_EQ(ledger().at("messages").at(0).at("callback").as_string(), "https://hooks.example.com/t/1");
}

TEST_F(SimulatedTelnyx, TakesMediaProfilesNamesAndSchedules) {
  const auto with_media = object_of(
      ask(telnyx_post(R"({"to":"+14155550123","from":"+15550100002","media_urls":["https://a.example/1"]})")).body);
  EXPECT_EQ(with_media.at("data").at("type").as_string(), "MMS");
  EXPECT_EQ(with_media.at("data").at("media").at(0).at("url").as_string(), "https://a.example/1");
  EXPECT_EQ(ask(telnyx_post(R"({"to":"+14155550123","messaging_profile_id":"p","text":"Hi"})")).status, 200);
  EXPECT_EQ(ask(telnyx_post(R"({"to":"+14155550123","from":"Shop","messaging_profile_id":"p","text":"Hi"})")).status,
            200);
  const auto later = object_of(
      ask(telnyx_post(R"({"to":"+14155550123","from":"12345","text":"Hi","send_at":"2030-01-02T03:04:05Z"})")).body);
  EXPECT_EQ(later.at("data").at("to").at(0).at("status").as_string(), "scheduled");
}

TEST_F(SimulatedTelnyx, RefusesWhatTheRealOneRefuses) {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {R"({"from":"+15550100002","text":"Hi"})", "400 10004 /to"},
      {R"({"to":"14155550123","from":"+15550100002","text":"Hi"})", "400 40310 /to"},
      {R"({"to":["+14155550123"],"from":"+15550100002","text":"Hi"})", "400 40310 /to"},
      {R"({"to":"+14155550123","text":"Hi"})", "400 10004 /from"},
      {R"({"to":"+14155550123","from":"Shop","text":"Hi"})", "400 40306 /from"},
      {R"({"to":"+14155550123","from":"+0","text":"Hi"})", "400 40305 /from"},
      {R"({"to":"+14155550123","from":"+15550100002"})", "400 40316 /text"},
      {R"({"to":"+14155550123","from":"+15550100002","text":"Hi","webhook_url":"x"})", "400 10003 /webhook_url"},
      {R"({"to":"+14155550123","from":"+15550100002","text":"Hi","send_at":"soon"})", "400 10015 /send_at"},
      {"To=%2B14155550123", "400 10015"},
      {"[]", "400 10015"},
  };
  for (const auto& [body, error] : rows) EXPECT_EQ(error_of(ask(telnyx_post(body))), error) << body;
  EXPECT_EQ(simulator.messages(), 0U);
  EXPECT_EQ(simulator.requests(), rows.size());
}

TEST_F(SimulatedTelnyx, RefusesStrangersAndOtherContentTypes) {
  const std::string body = R"({"to":"+14155550123","from":"+15550100002","text":"Hi"})";
  const std::string json_type = "Content-Type: application/json";
  EXPECT_EQ(error_of(ask(http_request("POST", "/v2/messages", {json_type}, body))), "401 10009");
  EXPECT_EQ(error_of(ask(http_request("POST", "/v2/messages", {"Authorization: Bearer invalid", json_type}, body))),
            "401 10009");
  EXPECT_EQ(error_of(ask(
                http_request("POST", "/v2/messages", {"Authorization: Bearer key", "Content-Type: text/plain"}, body))),
            "415 10014");
  EXPECT_EQ(simulator.messages(), 0U);
}

TEST_F(SimulatedTelnyx, LooksAMessageUpById) {
  const auto made = object_of(ask(telnyx_send("Hi")).body);
  const std::string id(made.at("data").at("id").as_string());
  const std::vector<std::string> key = {"Authorization: Bearer key"};
  EXPECT_EQ(object_of(ask(http_request("GET", "/v2/messages/" + id, key)).body), made);
  EXPECT_EQ(error_of(ask(http_request("GET", "/v2/messages/" + id.substr(1), key))), "404 10005");
  EXPECT_EQ(error_of(ask(http_request("GET", "/v2/messages", key))), "404 10005") << "there is no list";
  EXPECT_EQ(error_of(get("/v2/messages/" + id)), "401 10009");
}

}  // namespace
}  // namespace sms::tests
