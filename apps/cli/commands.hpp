#pragma once

#include "arguments.hpp"
#include "console.hpp"
#include "environment.hpp"
#include "exit_code.hpp"

namespace sms::cli {

/// What a command runs in.
struct Session {
  Console& console;
  const Environment& environment;
  const CommonArguments& common;
};

/// One function a command. They throw an `Error` or a `UsageError`, which the program reports.
ExitCode run_command(const Session& session, const SendArguments& arguments);
ExitCode run_command(const Session& session, const ValidateArguments& arguments);
ExitCode run_command(const Session& session, const SegmentsArguments& arguments);
ExitCode run_command(const Session& session, const KeysListArguments& arguments);
ExitCode run_command(const Session& session, const KeysShowArguments& arguments);
ExitCode run_command(const Session& session, const KeysResolveArguments& arguments);
ExitCode run_command(const Session& session, const KeysReleaseArguments& arguments);
ExitCode run_command(const Session& session, const KeysPurgeArguments& arguments);
ExitCode run_command(const Session& session, const KeysStatsArguments& arguments);
ExitCode run_command(const Session& session, const KeysAuditArguments& arguments);
ExitCode run_command(const Session& session, const KeysExportArguments& arguments);
ExitCode run_command(const Session& session, const KeysCopyArguments& arguments);
ExitCode run_command(const Session& session, const KeysMigrateArguments& arguments);
ExitCode run_command(const Session& session, const KeysAcknowledgeArguments& arguments);
ExitCode run_command(const Session& session, const KeysWatchArguments& arguments);
ExitCode run_command(const Session& session, const DoctorArguments& arguments);
ExitCode run_command(const Session& session, const SimulateArguments& arguments);
ExitCode run_command(const Session& session, const VersionArguments& arguments);
ExitCode run_command(const Session& session, const CompletionArguments& arguments);
ExitCode run_command(const Session& session, const HelpArguments& arguments);

}  // namespace sms::cli
