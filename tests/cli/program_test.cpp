#include "program.hpp"

#include "transport/scripted_server.hpp"

#include <boost/json.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <sstream>
#include <thread>

namespace sms::cli::tests {
namespace {

using sms::tests::http_answer;
using sms::tests::Reaction;
using sms::tests::ScriptedServer;
using sms::tests::SeenRequest;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

using Words = std::vector<std::string>;

constexpr const char* secret = "made-up-token-0001";

Reaction accept(const SeenRequest& request) {
  std::ostringstream id;
  id << "SM" << std::hex;
  id.width(32);
  id.fill('0');
  id << request.connection * 1000 + request.on_connection;
  return {http_answer(201, R"({"sid":")" + id.str() + R"(","status":"queued"})")};
}

Reaction refuse_number(const SeenRequest&) {
  return {http_answer(400, R"({"code":21211,"message":"Invalid 'To' Phone Number","status":400})")};
}

/// A provider, a configuration file for it and a SQLite file for keys.
class ProgramTest : public testing::Test {
 protected:
  void serve(ScriptedServer::Script script, const std::string& client = "") {
    server = std::make_unique<ScriptedServer>(ScriptedServer::Mode::http, std::move(script));
    configure(server->url(""), client);
  }
  void configure(const std::string& base_url, const std::string& client = "") {
    directory.file("sms-sdk.toml", "[store]\nurl = \"sqlite:keys.db\"\n[client]\ntimeout = \"1s\"\n" + client +
                                       "[[adapters]]\nprovider = \"twilio\"\naccount_sid = "
                                       "\"AC00000000000000000000000000000001\"\nauth_token = \"env:TOKEN\"\nfrom = "
                                       "\"+15550100001\"\nbase_url = \"" +
                                       base_url + "\"\n");
  }
  Finished run_here(Words words, const std::string& input = {}) const {
    return run(std::move(words), input, {{"TOKEN", secret}}, directory.path());
  }
  Finished send(const std::string& key, const std::string& body = "Hi", Words more = {}) const {
    Words words{"send", "--to", "+14155550123", "--body", body, "--key", key};
    words.insert(words.end(), more.begin(), more.end());
    return run_here(words);
  }

  Directory directory;
  std::unique_ptr<ScriptedServer> server;
};

boost::json::object object_of(const std::string& text) { return boost::json::parse(text).as_object(); }

TEST(ProgramAlone, ExplainsItself) {
  EXPECT_EQ(run({"--help"}).code, 0);
  EXPECT_EQ(run({"help"}).out, run({"--help"}).out);
  const Finished help = run({"send", "--help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_THAT(help.out, AllOf(HasSubstr("Examples:"), HasSubstr("20  unknown")));
  EXPECT_EQ(help.err, "");
  EXPECT_EQ(run({"version"}).out, run({"--version"}).out);
}

TEST(ProgramAlone, AnswersTwoToAWrongCommandLine) {
  for (const Words& words : {Words{}, Words{"sned"}, Words{"send"}, Words{"send", "--to", "+14155550123"},
                             Words{"send", "--batch", "/does/not/exist"}, Words{"send", "--batch", "/tmp"},
                             Words{"send", "--to", "+1", "--body", "x", "--linger", "5"}, Words{"keys"},
                             Words{"keys", "list"}, Words{"keys", "list", "--store", "postgres://u:p@h/d"}}) {
    const Finished finished = run(words);
    EXPECT_EQ(finished.code, 2) << testing::PrintToString(words);
    EXPECT_EQ(finished.out, "");
    EXPECT_THAT(finished.err, HasSubstr("sms-sdk: "));
  }
}

TEST(ProgramAlone, AnswersAUsageErrorAsJsonWhereAsked) {
  const Finished finished = run({"send", "--json", "--bdoy", "x"});
  EXPECT_EQ(finished.code, 2);
  EXPECT_EQ(object_of(finished.out).at("error").at("code").as_string(), "usage");
}

TEST(ProgramAlone, CountsSegmentsOfArgumentsAndInput) {
  EXPECT_THAT(run({"segments", "abc"}).out, HasSubstr("1 segment, GSM-7, 3 units"));
  EXPECT_THAT(run({"segments"}, "abc\n").out, HasSubstr("1 segment, GSM-7, 3 units"));
  const Finished curly = run({"segments", "--json", "It\xE2\x80\x99s"});
  EXPECT_EQ(object_of(curly.out).at("withLookAlikes").at("encoding").as_string(), "gsm7");
  EXPECT_EQ(run({"segments", "\xFF"}).code, 3);
}

TEST_F(ProgramTest, SendsOnceHoweverOftenTheCommandIsRepeated) {
  serve(accept);
  const Finished first = send("order:1", "Hi", {"--json"});
  ASSERT_EQ(first.code, 0) << first.out << first.err;
  const Finished second = send("order:1", "Hi", {"--json"});
  EXPECT_EQ(second.code, 0);
  EXPECT_EQ(server->complete_requests(), 1);
  auto result = object_of(first.out);
  EXPECT_EQ(result.at("replayed").as_bool(), false);
  result.at("replayed") = true;
  EXPECT_EQ(result, object_of(second.out));
  EXPECT_THAT(send("order:1").out, HasSubstr("nothing was sent now"));
}

TEST_F(ProgramTest, RefusesAKeyThatNamesAnotherMessage) {
  serve(accept);
  EXPECT_EQ(send("order:1").code, 0);
  const Finished other = send("order:1", "Something else");
  EXPECT_EQ(other.code, 30);
  EXPECT_THAT(other.err, HasSubstr("sms-sdk keys show 'order:1'"));
  EXPECT_EQ(server->complete_requests(), 1);
}

TEST_F(ProgramTest, AnswersTenToARejectionAndSendsAgainWhenAsked) {
  serve([](const SeenRequest& request) { return request.connection == 1 ? refuse_number(request) : accept(request); });
  EXPECT_EQ(send("order:1").code, 10);
  EXPECT_EQ(send("order:1").code, 0);
}

TEST_F(ProgramTest, AnswersTenWhenNothingListens) {
  int port = 0;
  { port = ScriptedServer(ScriptedServer::Mode::http).port(); }
  configure("http://127.0.0.1:" + std::to_string(port));
  const Finished finished = send("order:1", "Hi", {"--json"});
  EXPECT_EQ(finished.code, 10);
  EXPECT_EQ(object_of(finished.out).at("error").at("code").as_string(), "provider_unreachable");
}

TEST_F(ProgramTest, NeverResendsAnUnknownOutcome) {
  serve([](const SeenRequest&) { return Reaction{"", Reaction::End::rst}; });
  const Finished first = send("order:1");
  EXPECT_EQ(first.code, 20);
  EXPECT_THAT(first.err, AllOf(HasSubstr("send again?  NO"), HasSubstr("'order:1'")));
  EXPECT_EQ(send("order:1").code, 20);
  EXPECT_EQ(server->complete_requests(), 1);
}

TEST_F(ProgramTest, AnswersAtOnceAfterATimeOutAndLingersOnlyWhenAsked) {
  serve([](const SeenRequest& request) {
    Reaction reaction = accept(request);
    reaction.delay = std::chrono::milliseconds(1500);
    return reaction;
  });
  EXPECT_EQ(send("order:1").code, 20);
  const Finished settled = send("order:2", "Hi", {"--linger", "10s"});
  EXPECT_EQ(settled.code, 0) << settled.err;
  EXPECT_EQ(send("order:2").code, 0);
  EXPECT_EQ(server->complete_requests(), 2);
}

TEST_F(ProgramTest, AnswersThreeToAWrongMessageOrConfiguration) {
  serve(accept);
  EXPECT_EQ(run_here({"send", "--to", "14155550123", "--body", "x", "--key", "k"}).code, 3);
  EXPECT_EQ(run_here({"send", "--to", "+14155550123", "--body", "x", "--key", ""}).code, 3);
  EXPECT_EQ(send("k", "x", {"--from", "89045"}).code, 3);
  EXPECT_EQ(send("k", "x", {"--send-at", "2001-01-01T00:00:00Z"}).code, 3);
  EXPECT_EQ(send("k", "x", {"--validity", "1500ms"}).code, 3);
  directory.file("sms-sdk.toml", "[client]\ntime_out = \"1s\"\n");
  const Finished misspelled = send("k");
  EXPECT_EQ(misspelled.code, 3);
  EXPECT_THAT(misspelled.err, HasSubstr("did you mean timeout?"));
  configure("http://127.0.0.1:1", "stale_reservation = \"5s\"\n");
  EXPECT_THAT(send("k").err, HasSubstr("stale_reservation"));
  EXPECT_EQ(send("k").code, 3);
  EXPECT_EQ(server->complete_requests(), 0);
}

TEST_F(ProgramTest, SendsNothingWithAKeyThatNobodyWouldRemember) {
  serve(accept);
  const std::map<std::string, std::string> environment{{"TWILIO_ACCOUNT_SID", "AC00000000000000000000000000000001"},
                                                       {"TWILIO_AUTH_TOKEN", secret},
                                                       {"TWILIO_FROM", "+15550100001"}};
  const Finished finished = run({"send", "--to", "+14155550123", "--body", "x", "--key", "k"}, {}, environment);
  EXPECT_EQ(finished.code, 3);
  EXPECT_THAT(finished.err, HasSubstr("--store"));
}

TEST_F(ProgramTest, AnswersFortyWhenTheStoreCannotBeOpened) {
  serve(accept);
  directory.file("keys.db", "this is not a database, not at all, whatever its name says; it is long enough to be read");
  EXPECT_EQ(send("k").code, 40);
  EXPECT_EQ(run_here({"keys", "list"}).code, 40);
  EXPECT_EQ(server->complete_requests(), 0);
}

TEST_F(ProgramTest, WarnsOfASendThatNothingProtects) {
  serve(accept);
  const Finished finished = run_here({"send", "--to", "+14155550123", "--body", "-"}, "from a pipe\n");
  EXPECT_EQ(finished.code, 0);
  EXPECT_THAT(finished.err, HasSubstr("no --key"));
  EXPECT_THAT(server->seen().at(0).body, AllOf(HasSubstr("from+a+pipe"), Not(HasSubstr("%0A"))));
}

TEST_F(ProgramTest, ShowsNeitherSecretNorBodyNorNumber) {
  serve([](const SeenRequest&) {
    return Reaction{http_answer(400, R"({"code":21211,"message":"+14155550123 got PIN 4711","status":400})")};
  });
  for (const Words& more : {Words{}, Words{"--json"}}) {
    const Finished finished = send("k", "PIN 4711", more);
    EXPECT_EQ(finished.code, 10);
    EXPECT_THAT(finished.out + finished.err,
                AllOf(Not(HasSubstr(secret)), Not(HasSubstr("4711")), Not(HasSubstr("4155550123"))));
  }
}

TEST_F(ProgramTest, CancelsWithTheFirstInterrupt) {
  serve([](const SeenRequest&) { return Reaction{"", Reaction::End::hang}; });
  Program program({"send", "--to", "+14155550123", "--body", "Hi", "--key", "k"}, {}, {{"TOKEN", secret}},
                  directory.path());
  while (server->complete_requests() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  program.signal(SIGINT);
  const Finished finished = program.finish();
  EXPECT_EQ(finished.code, 20);
  EXPECT_THAT(finished.err, HasSubstr("cancelled while a request was under way"));
  EXPECT_EQ(send("k").code, 20);
  EXPECT_EQ(server->complete_requests(), 1);
}

TEST_F(ProgramTest, ReportsABatchInTheOrderOfItsLines) {
  serve([](const SeenRequest& request) {
    Reaction reaction = request.body.find("Body=bad") != std::string::npos ? refuse_number(request) : accept(request);
    if (request.body.find("Body=slow") != std::string::npos) reaction.delay = std::chrono::milliseconds(200);
    return reaction;
  });
  std::string lines = R"({"to":"+14155550123","body":"slow","idempotencyKey":"b:1"})"
                      "\nnot json\n\n"
                      R"({"to":"+14155550123","body":"bad","idempotencyKey":"b:4"})"
                      "\n"
                      R"({"to":"+14155550123","body":"x","idempotency_key":"b:5"})"
                      "\n";
  for (int i = 6; i <= 60; ++i) {
    lines += R"({"to":"+14155550123","body":"Hi","idempotencyKey":"b:)" + std::to_string(i) + "\"}\n";
  }
  const Finished finished = run_here({"send", "--batch", "-", "--json", "--concurrency", "8"}, lines);
  EXPECT_EQ(finished.code, 10) << finished.err;
  std::istringstream out(finished.out);
  std::vector<std::int64_t> numbers;
  std::map<std::int64_t, std::string> errors;
  for (std::string line; std::getline(out, line);) {
    const auto object = object_of(line);
    numbers.push_back(object.at("line").as_int64());
    if (const auto* error = object.if_contains("error")) errors[numbers.back()] = error->at("name").as_string().c_str();
  }
  EXPECT_EQ(numbers.size(), 59U);
  EXPECT_TRUE(std::is_sorted(numbers.begin(), numbers.end()));
  EXPECT_EQ(errors, (std::map<std::int64_t, std::string>{
                        {2, "InvalidMessageError"}, {4, "ProviderRejectedError"}, {5, "InvalidMessageError"}}));
  EXPECT_EQ(server->complete_requests(), 57);

  const Finished again = run_here({"send", "--batch", "-"}, lines);
  EXPECT_EQ(again.code, 10);
  EXPECT_THAT(again.out, HasSubstr("56 accepted (56 of them earlier)"));
  EXPECT_EQ(server->complete_requests(), 58);
}

TEST_F(ProgramTest, StopsReadingABatchWithTheFirstInterrupt) {
  serve([](const SeenRequest&) { return Reaction{"", Reaction::End::hang}; });
  std::string lines;
  for (int i = 0; i < 50; ++i) {
    lines += R"({"to":"+14155550123","body":"Hi","idempotencyKey":"b:)" + std::to_string(i) + "\"}\n";
  }
  const std::string file = directory.file("b.jsonl", lines);
  Program program({"send", "--batch", file, "--concurrency", "2", "--json"}, {}, {{"TOKEN", secret}}, directory.path());
  while (server->complete_requests() < 2) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  program.signal(SIGTERM);
  const Finished finished = program.finish();
  EXPECT_EQ(finished.code, 50);
  EXPECT_THAT(finished.err, HasSubstr("later lines were not sent"));
  EXPECT_EQ(server->complete_requests(), 2);
  EXPECT_THAT(run_here({"keys", "stats", "--json"}).out, HasSubstr("\"unknown\":2"));
}

TEST_F(ProgramTest, LeadsAnOperatorFromAnUnknownKeyToItsSettlement) {
  serve([](const SeenRequest&) { return Reaction{"", Reaction::End::rst}; });
  ASSERT_EQ(send("order:1").code, 20);
  ASSERT_EQ(send("order:2").code, 20);
  EXPECT_THAT(run_here({"keys", "list"}).out, AllOf(HasSubstr("order:1"), HasSubstr("order:2"), HasSubstr("unknown")));
  EXPECT_EQ(run_here({"keys", "show", "order:3"}).code, 4);

  const auto shown = object_of(run_here({"keys", "show", "order:1", "--json"}).out);
  const std::string token = shown.at("token").as_string().c_str();
  EXPECT_TRUE(shown.contains("releasableAt"));
  EXPECT_EQ(shown.at("record").at("state").as_string(), "unknown");

  const Words resolve{"keys", "resolve", "order:1", "--accepted", "twilio", "SM1"};
  const auto with = [&](Words more) {
    Words words = resolve;
    words.insert(words.end(), more.begin(), more.end());
    return run_here(words);
  };
  EXPECT_EQ(with({}).code, 2);
  EXPECT_EQ(with({"--yes", "--expect", "another"}).code, 5);
  EXPECT_EQ(with({"--yes", "--expect", token, "--who", "ann", "--why", "portal"}).code, 0);
  EXPECT_EQ(with({"--yes", "--expect", token}).code, 5);
  EXPECT_EQ(send("order:1").code, 0);
  EXPECT_EQ(run_here({"keys", "resolve", "order:2", "--accepted", "twilio", "SM1", "--yes"}).code, 5);
  EXPECT_THAT(run_here({"keys", "audit"}).out, AllOf(HasSubstr("resolve  order:1  by ann: portal")));
  EXPECT_EQ(server->complete_requests(), 2);
}

TEST_F(ProgramTest, ReleasesAKeyOnlyAfterItHasSettledOrByForce) {
  serve([](const SeenRequest& request) {
    return request.connection == 1 ? Reaction{"", Reaction::End::rst} : accept(request);
  });
  ASSERT_EQ(send("order:1").code, 20);
  const Finished early = run_here({"keys", "release", "order:1", "--yes"});
  EXPECT_EQ(early.code, 5);
  EXPECT_THAT(early.err, HasSubstr("too early"));
  EXPECT_EQ(run_here({"keys", "release", "order:1", "--yes", "--force", "--json"}).out, "{\"done\":true}\n");
  EXPECT_EQ(send("order:1").code, 0);
  EXPECT_EQ(run_here({"keys", "release", "order:1", "--yes", "--force"}).code, 5);
  EXPECT_EQ(server->complete_requests(), 2);
}

TEST_F(ProgramTest, PurgesAndCounts) {
  serve(accept, "ttl = \"1ms\"\n");
  ASSERT_EQ(send("order:1").code, 0);
  EXPECT_EQ(run_here({"keys", "purge", "--json"}).out, "{\"purged\":1}\n");
  EXPECT_EQ(run_here({"keys", "purge"}).out, "Deleted 0 expired records.\n");
  EXPECT_EQ(object_of(run_here({"keys", "stats", "--json"}).out).at("accepted").as_int64(), 0);
}

TEST_F(ProgramTest, CallsSomebodyWhenKeysAreOpen) {
  serve([](const SeenRequest&) { return Reaction{"", Reaction::End::rst}; });
  EXPECT_EQ(run_here({"keys", "watch"}).code, 0);
  ASSERT_EQ(send("order:1").code, 20);
  const Finished beyond = run_here({"keys", "watch", "--json"});
  EXPECT_EQ(beyond.code, 1);
  EXPECT_EQ(object_of(beyond.out).at("open").as_int64(), 1);
  EXPECT_FALSE(object_of(beyond.out).at("withinLimits").as_bool());
  EXPECT_EQ(run_here({"keys", "watch", "--max-unknown", "1"}).code, 0);
  EXPECT_EQ(run_here({"keys", "watch", "--max-unknown", "1", "--max-age", "0ms"}).code, 1);
  EXPECT_THAT(run_here({"keys", "watch", "--format", "prometheus"}).out,
              AllOf(HasSubstr("sms_sdk_keys{state=\"unknown\"} 1\n"), HasSubstr("sms_sdk_oldest_open_seconds ")));
}

TEST_F(ProgramTest, SaysThatAStoreWithoutTablesNeedsNoMigration) {
  const Finished finished = run({"keys", "migrate", "--store", "memory:"});
  EXPECT_EQ(finished.code, 0);
  EXPECT_THAT(finished.out, HasSubstr("Nothing to make"));
}

TEST_F(ProgramTest, ChecksItsSetupWithoutSending) {
  serve(accept);
  const Finished healthy = run_here({"doctor", "--json"});
  EXPECT_EQ(healthy.code, 0) << healthy.out;
  EXPECT_TRUE(object_of(healthy.out).at("passed").as_bool());
  EXPECT_THAT(healthy.out, Not(HasSubstr(secret)));
  configure("http://192.0.2.1");
  EXPECT_EQ(run_here({"doctor"}).code, 1);
  configure("https://api.twilio.com", "stale_reservation = \"5s\"\n");
  EXPECT_THAT(run_here({"doctor"}).out, HasSubstr("failed  timings"));
  directory.file("sms-sdk.toml", "[clients]\n");
  EXPECT_EQ(run_here({"doctor"}).code, 1);
  EXPECT_EQ(server->complete_requests(), 0);
}

TEST_F(ProgramTest, SendsOneLiveMessageOnlyWithAYes) {
  serve(accept);
  EXPECT_EQ(run_here({"doctor", "--live", "--to", "+14155550123"}).code, 2);
  EXPECT_EQ(server->complete_requests(), 0);
  EXPECT_EQ(run_here({"doctor", "--live", "--to", "+14155550123", "--yes"}).code, 0);
  EXPECT_EQ(server->complete_requests(), 1);
}

TEST_F(ProgramTest, SendsOnceToItsOwnSimulatorThatLosesTheAnswer) {
  const std::string scenario = directory.file("faults.json", R"([{"action":"create_then_close","times":1}])");
  Program simulate({"simulate", "--scenario", scenario, "--ledger", directory.path("ledger.jsonl"), "--json"});
  const std::int64_t port = object_of(simulate.read_line()).at("port").as_int64();
  configure("http://127.0.0.1:" + std::to_string(port));
  EXPECT_EQ(send("order:1").code, 20);
  EXPECT_EQ(send("order:1").code, 20);
  EXPECT_EQ(send("order:2").code, 0);
  simulate.signal(SIGTERM);
  EXPECT_EQ(simulate.finish().code, 0);
  const std::string ledger = directory.read("ledger.jsonl");
  std::istringstream entries(ledger);
  int created = 0;
  for (std::string line; std::getline(entries, line);) created += line.starts_with("{\"created\"") ? 1 : 0;
  EXPECT_EQ(created, 2) << ledger;
}

TEST_F(ProgramTest, ValidatesWithoutSending) {
  serve(accept);
  EXPECT_EQ(run_here({"validate", "--to", "+14155550123", "--body", "x"}).code, 0);
  const Finished wrong = run_here({"validate", "--to", "14155550123", "--body", "", "--json"});
  EXPECT_EQ(wrong.code, 3);
  EXPECT_EQ(object_of(wrong.out).at("issues").as_array().size(), 2U);
  EXPECT_EQ(server->complete_requests(), 0);
}

}  // namespace
}  // namespace sms::cli::tests
