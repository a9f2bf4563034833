#include "command_options.hpp"

namespace sms::cli {

namespace {

constexpr const char* keys_footer =
    "A key stays `unknown`, or `reserved` for too long, when nobody can say whether its message exists: the answer\n"
    "was lost, or the program died. Such a key is never sent again by itself. To settle it:\n"
    "  1. sms-sdk keys list                   what needs somebody, oldest first\n"
    "  2. sms-sdk keys show KEY               what is known of it, and from when a look-up is conclusive\n"
    "  3. look the message up at the provider, then either\n"
    "     sms-sdk keys resolve KEY --accepted PROVIDER PROVIDER_ID     it exists: later sends replay it\n"
    "     sms-sdk keys release KEY                                     it does not: the next send sends it\n\n"
    "Many keys: sms-sdk keys export, fill in the columns action, provider_id and why, then\n"
    "sms-sdk keys resolve --from-csv FILE --dry-run, and once more without --dry-run. For cron: keys watch, keys "
    "purge.\n\n"
    "Exit codes: 0 done, 1 beyond a limit (watch), 2 usage, 4 no such key, 5 refused (changed meanwhile, not stale,\n"
    "too early, provider ID in use, another record in the target), 40 store unavailable, 50 stopped.";

constexpr const char* resolve_footer =
    "Examples:\n"
    "  sms-sdk keys resolve order:71 --accepted twilio SM00000000000000000000000000000001\n"
    "  sms-sdk keys resolve order:71 --accepted telnyx 40317f5c --expect 3f9c... --why 'seen in the portal' --yes\n"
    "  sms-sdk keys resolve --from-csv keys.csv --dry-run\n\n"
    "Acts only on the record that was shown: with --expect on the one that `keys show` printed, else on the one that\n"
    "is shown before the question.\n\n"
    "--from-csv takes what `keys export` printed, with its columns filled in: action is accepted (then provider and\n"
    "provider_id say what was found), release (it does not exist), or empty (the key is left alone). The first line\n"
    "names the columns; others than key, token, action, provider, provider_id and why are ignored. The whole file is\n"
    "checked before the first change. Each line acts on its token alone, so that a file may be applied again. After a\n"
    "line that the store could not answer for, the rest is not tried (exit code 40). --json: one object a line.";

constexpr const char* export_footer =
    "Examples:\n"
    "  sms-sdk keys export > keys.csv         every key that needs somebody, to be filled in for keys resolve "
    "--from-csv\n"
    "  sms-sdk keys export --filter all --format jsonl";

constexpr const char* copy_footer =
    "Examples:\n"
    "  sms-sdk keys copy sqlite:old.db sqlite:new.db --dry-run\n"
    "  sms-sdk keys copy sqlite:old.db env:NEW_STORE_URL\n\n"
    "A URL may stand in a variable (env:NAME) or a file (file:PATH): one with a password must. Nothing in the target "
    "is\n"
    "overwritten; keys that have another record there are named, and make the exit code 5. A copy that was "
    "interrupted\n"
    "goes on when it is repeated. Reservations keep their ID, but their age starts anew; audit rows stay behind.";

constexpr const char* release_footer =
    "Example:\n"
    "  sms-sdk keys release order:71 --expect 3f9c... --why 'not in the provider log' --yes\n\n"
    "Only after the provider was looked up, later than the moment that `keys show` prints: before it the request may\n"
    "still arrive. --force releases earlier, and a fresh reservation; it may text somebody twice. An accepted key is\n"
    "never released.";

constexpr const char* watch_footer =
    "Looks once, for cron and for a textfile collector.\n\n"
    "Exit codes: 0 within the limits, 1 beyond one, 2 usage, 40 store unavailable.";

constexpr const char* who_text = "Who acts, for the audit (default: the user's name)";

CLI::Option* add_filter(CLI::App& command, std::string& filter) {
  return command
      .add_option("--filter", filter,
                  "open (unknown, or reserved for too long), all, reserved, accepted, rejected, unknown")
      ->check(CLI::IsMember({"open", "all", "reserved", "accepted", "rejected", "unknown"}))
      ->type_name("WHICH")
      ->capture_default_str();
}

void add_change_options(CLI::App& command, ChangeArguments& change) {
  add_text(command, "--expect", "TOKEN", change.expect, "Act only on the record whose token `keys show` printed");
  add_text(command, "--who", "NAME", change.who, who_text);
  add_text(command, "--why", "TEXT", change.why, "Why, for the audit");
  command.add_flag("--yes", change.yes, "Answers the confirmation; needed without a terminal");
}

void add_limit(CLI::App& command, std::size_t& limit) {
  command.add_option("--limit", limit, "At most this many")
      ->check(CLI::Range(1, 10'000))
      ->type_name("N")
      ->capture_default_str();
}

void declare_views(CLI::App& keys, Invocation& invocation) {
  auto [list, listed] = declare<KeysListArguments>(keys, invocation, "list", "Lists keys, oldest first");
  add_filter(list, listed.filter);
  add_text(list, "--prefix", "TEXT", listed.prefix, "Only keys that begin with it");
  add_text(list, "--min-age", "DURATION", listed.min_age, "Only keys at least this old");
  add_limit(list, listed.limit);
  add_text(list, "--cursor", "TEXT", listed.cursor, "Where the page before ended");

  auto [show, shown] = declare<KeysShowArguments>(keys, invocation, "show", "Shows all that is known of a key");
  add_text(show, "key", "KEY", shown.key, "The idempotency key")->required();

  auto [exported, which] =
      declare<KeysExportArguments>(keys, invocation, "export", "Prints all keys, for a spreadsheet");
  exported.footer(export_footer);
  add_filter(exported, which.filter);
  exported.add_option("--format", which.format, "csv, or jsonl: one JSON object a line")
      ->check(CLI::IsMember({"csv", "jsonl"}))
      ->type_name("FORMAT")
      ->capture_default_str();

  declare<KeysStatsArguments>(keys, invocation, "stats", "Counts keys by state, for alerts");

  auto [audit, rows] = declare<KeysAuditArguments>(keys, invocation, "audit", "Shows what operators did, newest first");
  add_text(audit, "key", "KEY", rows.key, "Only this key");
  add_limit(audit, rows.limit);
}

void declare_changes(CLI::App& keys, Invocation& invocation) {
  auto [resolve, resolved] = declare<KeysResolveArguments>(keys, invocation, "resolve",
                                                           "Settles a key whose message exists: later sends replay it");
  resolve.footer(resolve_footer);
  add_text(resolve, "key", "KEY", resolved.change.key, "The idempotency key");
  add_change_options(resolve, resolved.change);
  add_text(resolve, "--from-csv", "FILE", resolved.from_csv, "Settles the keys of a file; - is standard input");
  resolve.add_flag("--dry-run", resolved.dry_run, "With --from-csv: only says what would be done");
  const auto take_proof = [&resolution = resolved](const CLI::results_t& values) {
    resolution.provider = values.at(0);
    resolution.provider_id = values.at(1);
    return true;
  };
  resolve.add_option("--accepted", take_proof, "Who accepted it, and under which message ID")
      ->type_size(2)
      ->expected(1)
      ->type_name("PROVIDER PROVIDER_ID");

  auto [release, released] = declare<KeysReleaseArguments>(
      keys, invocation, "release", "Frees a key whose message does not exist: the next send sends it");
  release.footer(release_footer);
  add_text(release, "key", "KEY", released.change.key, "The idempotency key")->required();
  add_change_options(release, released.change);
  release.add_flag("--force", released.force, "Also too early, and a fresh reservation: may text somebody twice");

  auto [purge, purged] = declare<KeysPurgeArguments>(keys, invocation, "purge", "Deletes expired records");
  const auto take_limit = [&target = purged.limit](const CLI::results_t& values) {
    return CLI::detail::lexical_cast(values.back(), target.emplace());
  };
  purge.add_option("--limit", take_limit, "At most this many (default: all)")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
}

void declare_care(CLI::App& keys, Invocation& invocation) {
  auto [watch, watched] = declare<KeysWatchArguments>(keys, invocation, "watch", "Says whether keys need somebody");
  watch.footer(watch_footer);
  watch.add_option("--max-unknown", watched.max_unknown, "Unknown and stale keys together, at most")
      ->type_name("N")
      ->capture_default_str();
  const auto take_stale = [&target = watched.max_stale](const CLI::results_t& values) {
    return CLI::detail::lexical_cast(values.back(), target.emplace());
  };
  watch.add_option("--max-stale", take_stale, "Stale reservations, at most")->type_name("N");
  add_text(watch, "--max-age", "DURATION", watched.max_age, "Age of the oldest of them, at most");
  watch.add_option("--format", watched.format, "line, json or prometheus")
      ->check(CLI::IsMember({"line", "json", "prometheus"}))
      ->type_name("FORMAT")
      ->capture_default_str();

  auto [copy, copied] = declare<KeysCopyArguments>(keys, invocation, "copy", "Carries all keys to another store");
  copy.footer(copy_footer);
  add_text(copy, "from", "FROM_URL", copied.from, "The store that has them")->required();
  add_text(copy, "to", "TO_URL", copied.to, "The store that gets them")->required();
  copy.add_flag("--dry-run", copied.dry_run, "Only compares");

  auto [migrate, migrated] =
      declare<KeysMigrateArguments>(keys, invocation, "migrate", "Makes or upgrades the tables of the store");
  migrate.add_flag("--print", migrated.print, "Only print what would be executed");

  auto [acknowledge, known] = declare<KeysAcknowledgeArguments>(
      keys, invocation, "acknowledge-restore", "Lets a store serve again that was restored or failed over");
  add_text(acknowledge, "--who", "NAME", known.who, who_text);
  add_text(acknowledge, "--why", "TEXT", known.why, "Why, for the audit");
  acknowledge.add_flag("--yes", known.yes, "Answers the confirmation; needed without a terminal");
}

}  // namespace

void declare_key_commands(CLI::App& program, Invocation& invocation) {
  CLI::App* keys = program.add_subcommand("keys", "Shows and settles idempotency keys");
  keys->require_subcommand(1);
  keys->footer(keys_footer);
  declare_views(*keys, invocation);
  declare_changes(*keys, invocation);
  declare_care(*keys, invocation);
}

}  // namespace sms::cli
