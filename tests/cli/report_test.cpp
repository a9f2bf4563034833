#include "report.hpp"

#include "batch_report.hpp"
#include "exit_code.hpp"
#include "keys_report.hpp"
#include "usage_error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace sms::cli {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

struct Screen {
  std::istringstream in;
  std::ostringstream out, err;
  Console console{.in = in, .out = out, .err = err};
};

Rejected rejection(RejectionCategory category) {
  Rejected rejected;
  rejected.category = category;
  rejected.details.provider = "twilio";
  return rejected;
}

TEST(ExitCode, IsTheOneOfTheContractForEveryError) {
  EXPECT_EQ(exit_code_of(ConfigurationError("x")), ExitCode::invalid);
  EXPECT_EQ(exit_code_of(InvalidRecipientError("x")), ExitCode::invalid);
  EXPECT_EQ(exit_code_of(InvalidSenderError("x", {})), ExitCode::invalid);
  EXPECT_EQ(exit_code_of(InvalidMessageError("x", "body")), ExitCode::invalid);
  EXPECT_EQ(exit_code_of(UnsupportedFieldError("x", "body", "a")), ExitCode::invalid);
  EXPECT_EQ(exit_code_of(PolicyRejectedError("x")), ExitCode::rejected);
  EXPECT_EQ(exit_code_of(*make_rejected_error(rejection(RejectionCategory::auth))), ExitCode::rejected);
  EXPECT_EQ(exit_code_of(*make_rejected_error(rejection(RejectionCategory::unreachable))), ExitCode::rejected);
  EXPECT_EQ(exit_code_of(*make_rejected_error(rejection(RejectionCategory::recipient))), ExitCode::rejected);
  EXPECT_EQ(exit_code_of(HandoffUnknownError(UnknownReason::timeout)), ExitCode::unknown);
  EXPECT_EQ(exit_code_of(HandoffUnknownError(UnknownReason::aborted)), ExitCode::unknown);
  EXPECT_EQ(exit_code_of(IdempotencyConflictError("k", RecordState::accepted)), ExitCode::conflict);
  EXPECT_EQ(exit_code_of(IdempotencyInProgressError("k", {})), ExitCode::in_progress);
  EXPECT_EQ(exit_code_of(StoreUnavailableError("reserve", "x")), ExitCode::store_unavailable);
  EXPECT_EQ(exit_code_of(SendAbortedError("x")), ExitCode::aborted);
}

TEST(ReportError, SaysWhatHappenedWhetherToSendAgainAndWhatIsNext) {
  Screen screen;
  report_error(screen.console, HandoffUnknownError(UnknownReason::timeout), false);
  EXPECT_EQ(screen.out.str(), "");
  EXPECT_THAT(screen.err.str(), HasSubstr("HandoffUnknownError"));
  EXPECT_THAT(screen.err.str(), HasSubstr("send again?  NO"));
  EXPECT_THAT(screen.err.str(), HasSubstr("keys show"));
}

TEST(ReportError, CallsNothingSafeThatIsNotRetrySafe) {
  const HandoffUnknownError unknown(UnknownReason::network);
  const IdempotencyConflictError conflict("k", RecordState::unknown);
  for (const Error* error : {static_cast<const Error*>(&unknown), static_cast<const Error*>(&conflict)}) {
    ASSERT_FALSE(error->retry_safe());
    EXPECT_THAT(std::string(advice_for(*error).again), testing::Not(HasSubstr("Safe")));
  }
}

TEST(ReportError, IsOneJsonObjectOnStandardOutput) {
  Screen screen;
  report_error(screen.console, SendAbortedError("stopped"), true);
  EXPECT_EQ(screen.err.str(), "");
  EXPECT_EQ(screen.out.str(),
            "{\"error\":{\"name\":\"SendAbortedError\",\"code\":\"aborted\",\"message\":\"stopped\",\"retrySafe\":true,"
            "\"attempts\":[]}}\n");
}

TEST(ReportResult, TellsAReplayFromASend) {
  SendResult result;
  result.provider = "twilio";
  result.provider_id = "SM1";
  Screen screen;
  report_result(screen.console, result, false);
  EXPECT_THAT(screen.out.str(), StartsWith("Accepted.\n"));
  result.replayed = true;
  Screen second;
  report_result(second.console, result, false);
  EXPECT_THAT(second.out.str(), HasSubstr("nothing was sent now"));
}

TEST(BatchReport, WritesOneObjectALineAndKeepsTheHighestCode) {
  Screen screen;
  BatchReport report(screen.console, true, 0);
  SendResult result;
  result.provider_id = "SM1";
  report.add({1, "k1", result});
  report.add({2, {}, InvalidMessageError("to must be a string", "to")});
  report.add({4, "k4", HandoffUnknownError(UnknownReason::timeout)});
  report.add({5, "k5", ProviderRejectedError(rejection(RejectionCategory::recipient))});
  report.sum_up(false);
  EXPECT_EQ(report.exit_code(), ExitCode::unknown);
  const std::string out = screen.out.str();
  EXPECT_THAT(out, StartsWith("{\"line\":1,\"idempotencyKey\":\"k1\",\"id\":"));
  EXPECT_THAT(out, HasSubstr("{\"line\":2,\"error\":{\"name\":\"InvalidMessageError\""));
  EXPECT_THAT(out, HasSubstr("{\"line\":4,\"idempotencyKey\":\"k4\",\"error\":{\"name\":\"HandoffUnknownError\""));
  EXPECT_EQ(std::count(out.begin(), out.end(), '\n'), 4);
  EXPECT_THAT(screen.err.str(), HasSubstr("4 messages: 1 accepted, 1 invalid, 1 rejected, 1 unknown"));
}

TEST(BatchReport, IsNotDoneWhenItWasStopped) {
  Screen screen;
  BatchReport report(screen.console, false, 0);
  report.add({1, "k1", SendResult{}});
  report.sum_up(true);
  EXPECT_EQ(report.exit_code(), ExitCode::aborted);
  EXPECT_THAT(screen.err.str(), HasSubstr("later lines were not sent"));
}

TEST(Confirm, NeedsAYesWhereNobodyCanAnswer) {
  Screen screen;
  EXPECT_THROW(confirm(screen.console, "Sure?", false), UsageError);
  EXPECT_EQ(confirm(screen.console, "Sure?", true), Consent::given);
}

TEST(Confirm, TakesOnlyAClearYes) {
  for (const auto& [answer, expected] :
       {std::pair{"y\n", Consent::given}, std::pair{"yes\n", Consent::given}, std::pair{"\n", Consent::refused},
        std::pair{"", Consent::refused}, std::pair{"n\n", Consent::refused}, std::pair{"yep\n", Consent::refused}}) {
    Screen screen;
    screen.in.str(answer);
    screen.console.interactive = true;
    EXPECT_EQ(confirm(screen.console, "Sure?", false), expected) << answer;
  }
}

TEST(ReadText, DropsOneFinalLineBreakAndRefusesTooMuch) {
  const auto text = [](const std::string& input) {
    Screen screen;
    screen.in.str(input);
    return read_text(screen.console, 5);
  };
  EXPECT_EQ(text("abc\n"), "abc");
  EXPECT_EQ(text("abc\n\n"), "abc\n");
  EXPECT_EQ(text("12345\n"), "12345");
  EXPECT_EQ(text(""), "");
  EXPECT_THROW(text("123456"), UsageError);
}

TEST(ReleasableAt, IsWhenNoRequestCanArriveAnyMore) {
  using namespace std::chrono_literals;
  KeyView view;
  EXPECT_FALSE(releasable_at(view, 10min));
  view.open_since = WallTime(1h);
  EXPECT_EQ(releasable_at(view, 10min), WallTime(1h + 10min));
}

}  // namespace
}  // namespace sms::cli
