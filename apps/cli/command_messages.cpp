#include "command_options.hpp"

namespace sms::cli {

namespace {

constexpr const char* send_footer =
    "Examples:\n"
    "  sms-sdk send --to +14155550123 --body 'Order 123 shipped.' --key order:123:shipped:v1\n"
    "  date | sms-sdk send --to +14155550123 --body - --key clock:2026-11-30 --from sender:Clock\n"
    "  sms-sdk send --batch messages.jsonl --concurrency 32 --json > results.jsonl\n\n"
    "A key names the message, not the attempt. Say the same key again after any failure: a message that was\n"
    "accepted is not sent again, and one that may have been is not either.\n\n"
    "A line of a batch is one JSON object: to, body, idempotencyKey and, if wanted, from, mediaUrls, sendAt,\n"
    "validityPeriodSec, webhookUrl, providerOptions. Every line has its own outcome; a bad one stops nothing.\n\n"
    "Outcomes and exit codes:\n"
    "   0  accepted: a provider took the message (or had taken it: replayed). It is not yet delivery.\n"
    "   2  the command line is wrong\n"
    "   3  the message or the configuration is wrong; nothing was sent\n"
    "  10  rejected: it is proved that no message exists. Sending again with the same key is safe.\n"
    "  20  unknown: nobody can say whether the message exists. Never resend it, under any key: look it up,\n"
    "      then `sms-sdk keys resolve` or `sms-sdk keys release`.\n"
    "  30  the key was used for another message\n"
    "  31  another sender is sending this key now; try later with the same key\n"
    "  40  the store is unavailable; nothing was sent\n"
    "  50  cancelled before anything was sent\n"
    "A batch ends with 0 when all were accepted, else with the highest code of any line. Ctrl-C cancels once,\n"
    "and ends the program at once when pressed again; requests under way then end as unknown.";

constexpr const char* validate_footer =
    "Checks a message against all configured providers and estimates its segments. Sends nothing.\n\n"
    "Example:\n"
    "  sms-sdk validate --to +14155550123 --body 'Caf\xC3\xA9 at 8?'\n\n"
    "Exit codes: 0 it can be sent, 2 usage, 3 it cannot.";

constexpr const char* segments_footer =
    "Counts billed parts and says which characters make them expensive, and what could be written instead.\n\n"
    "Examples:\n"
    "  sms-sdk segments \"It\xE2\x80\x99s ready\"\n"
    "  sms-sdk segments < body.txt\n\n"
    "Exit codes: 0 fine, 2 usage, 3 the text is not UTF-8.";

void add_message_options(CLI::App& command, MessageArguments& message) {
  const auto text = [&](const char* name, const char* value, auto& target, const char* description) {
    return add_text(command, name, value, target, description)->group("Message");
  };
  text("--to", "NUMBER", message.to, "Recipient in E.164, such as +14155550123");
  text("--body", "TEXT", message.body, "The text; - reads standard input (one final line break does not count)");
  text("--key", "KEY", message.key, "Names the message, so that it is never sent twice: order:123:shipped:v1");
  text("--from", "SENDER", message.from, "+NUMBER, sender:NAME, short:CODE or service:ID (default: the provider's)");
  const auto take_media = [&message](const CLI::results_t& values) {
    message.media = values;
    return true;
  };
  command.add_option("--media", take_media, "URL of a picture or another attachment; may be repeated")
      ->type_name("URL")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false)
      ->group("Message");
  text("--validity", "DURATION", message.validity, "How long the provider may try, such as 4h");
  text("--send-at", "TIME", message.send_at, "When the provider is to send it, such as 2026-11-30T12:00:00Z");
  text("--webhook-url", "URL", message.webhook_url, "Where this message's status goes");
}

void declare_send(CLI::App& program, Invocation& invocation) {
  auto [command, send] = declare<SendArguments>(program, invocation, "send", "Sends one message, or a batch of them");
  command.footer(send_footer);
  add_message_options(command, send.message);
  CLI::Option* batch = add_text(command, "--batch", "FILE", send.batch,
                                "Sends the messages of a file, one JSON object a line; - reads standard input");
  command.add_option("--concurrency", send.concurrency, "How many messages of a batch are under way at once")
      ->check(CLI::Range(1, 10'000))
      ->type_name("N")
      ->capture_default_str()
      ->needs(batch);
  for (const char* name :
       {"--to", "--body", "--key", "--from", "--media", "--validity", "--send-at", "--webhook-url"}) {
    batch->excludes(command.get_option(name));
  }
  add_text(command, "--in-progress", "HOW", send.in_progress,
           "When another sender has the key: fail, or wait:10s for its outcome");
  add_text(command, "--deadline", "DURATION", send.deadline,
           "No attempt starts later than this; one under way may still end");
  add_text(command, "--linger", "DURATION", send.linger,
           "After a time-out, how long to wait for a late answer that settles the outcome");
  add_text(command, "--issued-at", "TIME", send.issued_at,
           "When the job was made: refused when its key may have been forgotten since");
}

}  // namespace

void declare_message_commands(CLI::App& program, Invocation& invocation) {
  declare_send(program, invocation);

  auto [validate, message] =
      declare<ValidateArguments>(program, invocation, "validate", "Checks a message; sends nothing");
  validate.footer(validate_footer);
  add_message_options(validate, message.message);

  auto [segments, text] =
      declare<SegmentsArguments>(program, invocation, "segments", "Explains how many SMS parts a text costs");
  segments.footer(segments_footer);
  add_text(segments, "text", "TEXT", text.text, "The text (default: standard input)");
}

}  // namespace sms::cli
