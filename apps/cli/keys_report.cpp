#include "keys_report.hpp"

#include <sms/adapter_kit.hpp>

#include "core/json_text.hpp"
#include "duration.hpp"

#include <cstdint>

namespace sms::cli {

namespace {

std::int64_t number(std::uint64_t count) { return static_cast<std::int64_t>(count); }

}  // namespace

OperatorResultText text_of(OperatorResult result) {
  switch (result) {
    case OperatorResult::done:
      return {"done", "Done."};
    case OperatorResult::not_found:
      return {"not_found", "there is no such key (or it has expired)"};
    case OperatorResult::changed:
      return {"changed", "the record has changed since it was shown; look at it again with `sms-sdk keys show`"};
    case OperatorResult::not_open:
      return {"not_open", "only an unknown key, or one that was reserved for too long, can be changed"};
    case OperatorResult::not_settled:
      return {"not_settled", "it is too early: a request may still be on its way; `sms-sdk keys show` says from when"};
    case OperatorResult::id_in_use:
      return {"id_in_use", "that provider ID already stands under another key"};
  }
  return {"failed", "failed"};
}

void report_operator_result(Console& console, OperatorResult result, bool json) {
  const OperatorResultText text = text_of(result);
  const bool done = result == OperatorResult::done;
  if (!json) {
    if (done) {
      console.out << text.text << '\n';
    } else {
      console.err << "sms-sdk: " << text.text << '\n';
    }
    return;
  }
  std::string object;
  detail::JsonWriter writer(object);
  writer.begin_object();
  if (done) {
    writer.key("done").boolean(true);
  } else {
    writer.key("error").begin_object().key("name").string("KeyError").key("code").string(text.code);
    writer.key("message").string(text.text).key("retrySafe").boolean(true);
    writer.key("attempts").begin_array().end_array().end_object();
  }
  writer.end_object();
  console.out << object << '\n';
}

void report_purged(Console& console, std::size_t count, bool json) {
  if (json) {
    console.out << "{\"purged\":" << count << "}\n";
  } else {
    console.out << "Deleted " << count << (count == 1 ? " expired record.\n" : " expired records.\n");
  }
}

void report_stats(Console& console, const StoreStats& stats, const std::string& identity, WallTime now, bool json) {
  if (!json) {
    console.out << "accepted  " << stats.accepted << "\nrejected  " << stats.rejected << "\nunknown   " << stats.unknown
                << "\nreserved  " << stats.reserved << " (stale: " << stats.stale << ")\nexpired   " << stats.expired
                << '\n';
    if (stats.oldest_open) {
      console.out << "oldest that needs somebody: since " << time_text(*stats.oldest_open) << " ("
                  << format_age(now - *stats.oldest_open) << ")\n";
    }
    return;
  }
  std::string text;
  detail::JsonWriter writer(text);
  writer.begin_object();
  if (!identity.empty()) writer.key("store").string(identity);
  writer.key("reserved").number(number(stats.reserved)).key("stale").number(number(stats.stale));
  writer.key("accepted").number(number(stats.accepted)).key("rejected").number(number(stats.rejected));
  writer.key("unknown").number(number(stats.unknown)).key("expired").number(number(stats.expired));
  if (stats.oldest_open) writer.key("oldestOpen").string(to_iso8601(*stats.oldest_open));
  writer.end_object();
  console.out << text << '\n';
}

void report_audit(Console& console, const std::vector<AuditRow>& rows, bool json) {
  if (!json) {
    for (const AuditRow& row : rows) {
      console.out << time_text(row.at) << "  " << row.action << "  " << row.key << "  by " << row.who;
      if (!row.why.empty()) console.out << ": " << row.why;
      console.out << '\n';
    }
    if (rows.empty()) console.err << "Nobody has changed a key.\n";
    return;
  }
  std::string text;
  detail::JsonWriter writer(text);
  writer.begin_object().key("audit").begin_array();
  for (const AuditRow& row : rows) {
    writer.begin_object().key("at").string(to_iso8601(row.at)).key("key").string(row.key);
    writer.key("who").string(row.who).key("action").string(row.action).key("why").string(row.why);
    if (!row.before.empty()) writer.key("before").raw(row.before);
    writer.end_object();
  }
  writer.end_array().end_object();
  console.out << text << '\n';
}

}  // namespace sms::cli
