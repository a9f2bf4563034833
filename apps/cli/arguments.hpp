#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace sms::cli {

/// What every command takes.
struct CommonArguments {
  std::optional<std::string> config;
  std::optional<std::string> store;
  bool json = false;
};

/// A message as the command line gives it, texts as they were typed.
struct MessageArguments {
  std::string to;
  std::optional<std::string> body;  ///< `-`: standard input.
  std::optional<std::string> key;
  std::optional<std::string> from;
  std::vector<std::string> media;
  std::optional<std::string> validity;
  std::optional<std::string> send_at;
  std::optional<std::string> webhook_url;
};

struct SendArguments {
  MessageArguments message;
  std::optional<std::string> batch;  ///< File of messages; `-`: standard input.
  std::size_t concurrency = 16;
  std::optional<std::string> in_progress;
  std::optional<std::string> deadline;
  std::optional<std::string> linger;
  std::optional<std::string> issued_at;
};
struct ValidateArguments {
  MessageArguments message;
};
struct SegmentsArguments {
  std::optional<std::string> text;  ///< Absent or `-`: standard input.
};

/// Options of the commands that change a key.
struct ChangeArguments {
  std::string key;
  std::optional<std::string> expect;
  std::optional<std::string> who;
  std::string why;
  bool yes = false;
};
struct KeysListArguments {
  std::string filter = "open";
  std::string prefix;
  std::optional<std::string> min_age;
  std::size_t limit = 100;
  std::string cursor;
};
struct KeysShowArguments {
  std::string key;
};
struct KeysResolveArguments {
  ChangeArguments change;
  std::string provider, provider_id;
  std::optional<std::string> from_csv;  ///< `-`: standard input. Then there is no key.
  bool dry_run = false;
};
struct KeysReleaseArguments {
  ChangeArguments change;
  bool force = false;
};
struct KeysExportArguments {
  std::string filter = "open";
  std::string format = "csv";
};
struct KeysCopyArguments {
  std::string from, to;
  bool dry_run = false;
};
struct KeysPurgeArguments {
  std::optional<std::size_t> limit;
};
struct KeysStatsArguments {};
struct KeysAuditArguments {
  std::optional<std::string> key;
  std::size_t limit = 50;
};

struct KeysMigrateArguments {
  bool print = false;
};
struct KeysAcknowledgeArguments {
  std::optional<std::string> who;
  std::string why;
  bool yes = false;
};
struct KeysWatchArguments {
  std::uint64_t max_unknown = 0;
  std::optional<std::uint64_t> max_stale;
  std::optional<std::string> max_age;
  std::string format = "line";
};

struct DoctorArguments {
  bool live = false;
  std::optional<std::string> to, from;
  bool yes = false;
};
struct SimulateArguments {
  std::string host = "127.0.0.1";
  std::uint16_t port = 0;
  std::optional<std::string> scenario, ledger;
  std::uint64_t seed = 1;
};
struct VersionArguments {};
struct CompletionArguments {
  std::string shell;
};
struct HelpArguments {
  std::vector<std::string> command;
};

using Command = std::variant<SendArguments, ValidateArguments, SegmentsArguments, KeysListArguments, KeysShowArguments,
                             KeysResolveArguments, KeysReleaseArguments, KeysPurgeArguments, KeysStatsArguments,
                             KeysAuditArguments, KeysExportArguments, KeysCopyArguments, KeysMigrateArguments,
                             KeysAcknowledgeArguments, KeysWatchArguments, DoctorArguments, SimulateArguments,
                             VersionArguments, CompletionArguments, HelpArguments>;

struct Invocation {
  CommonArguments common;
  Command command = VersionArguments{};
};

}  // namespace sms::cli
