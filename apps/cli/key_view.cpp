#include <sms/adapter_kit.hpp>

#include "core/json_text.hpp"
#include "duration.hpp"
#include "keys_report.hpp"
#include "report.hpp"

#include <iomanip>

namespace sms::cli {

namespace {

/// What a record says beyond its state, line by line.
struct RecordPrinter {
  std::ostream& out;

  void operator()(const ReservedRecord& record) const {
    out << "  reserved at  " << time_text(record.reserved_at) << '\n';
    if (record.posting) {
      out << "  posting      " << record.posting->provider << " #" << record.posting->attempt << " since "
          << time_text(record.posting->at) << ": a request may have left\n";
    } else {
      out << "  posting      no mark: if this sender writes marks, nothing was posted\n";
    }
  }
  void operator()(const AcceptedRecord& record) const {
    out << "  provider     " << record.result.provider << "\n  provider ID  " << record.result.provider_id
        << "\n  ID           " << record.result.id << '\n';
    print_attempts(record.result.attempts);
  }
  void operator()(const RejectedRecord& record) const { print_error(record.error); }
  void operator()(const UnknownRecord& record) const { print_error(record.error); }

  void print_error(const SerializedError& error) const {
    out << "  error        " << error.name << ": " << error.message << '\n';
    print_attempts(error.attempts);
  }
  void print_attempts(const std::vector<Attempt>& attempts) const {
    for (const Attempt& attempt : attempts) out << "  attempt      " << attempt_text(attempt) << '\n';
  }
};

void write_time(detail::JsonWriter& writer, std::string_view name, const std::optional<WallTime>& time) {
  if (time) writer.key(name).string(to_iso8601(*time));
}

void write_key(detail::JsonWriter& writer, const KeyView& view, std::chrono::milliseconds settle) {
  writer.begin_object();
  writer.key("key").string(view.key).key("state").string(to_string(state_of(view.record)));
  writer.key("token").string(view.token);
  if (view.reservation_id) writer.key("reservationId").string(*view.reservation_id);
  write_time(writer, "since", view.since);
  write_time(writer, "expiresAt", view.expires_at);
  write_time(writer, "releasableAt", releasable_at(view, settle));
  writer.key("ageMs").number(std::int64_t{view.age.count()});
  writer.key("stale").boolean(view.stale).key("malformed").boolean(view.malformed);
  writer.key("record").raw(to_json(view.record));
  writer.end_object();
}

std::string state_text(const KeyView& view) {
  std::string text(to_string(state_of(view.record)));
  if (view.stale) text += ", stale";
  if (view.malformed) text += ", malformed";
  return text;
}

}  // namespace

std::string time_text(WallTime time) {
  std::string text = to_iso8601(time);
  return text.substr(0, text.size() - 5) + "Z";
}

std::optional<WallTime> releasable_at(const KeyView& view, std::chrono::milliseconds settle) {
  if (!view.open_since) return std::nullopt;
  return *view.open_since + settle;
}

void print_key(std::ostream& out, const KeyView& view, std::chrono::milliseconds settle) {
  out << view.key << "\n  state        " << state_text(view) << ", for " << format_age(view.age) << '\n';
  std::visit(RecordPrinter{out}, view.record);
  if (view.expires_at) out << "  expires      " << time_text(*view.expires_at) << '\n';
  if (const auto from = releasable_at(view, settle)) {
    out << "  look up from " << time_text(*from)
        << ": earlier the request may still arrive, and a release is refused\n";
  }
  out << "  token        " << view.token << '\n';
}

void report_key(Console& console, const KeyView& view, std::chrono::milliseconds settle, bool json) {
  if (!json) return print_key(console.out, view, settle);
  console.out << key_json(view, settle) << '\n';
}

std::string key_json(const KeyView& view, std::chrono::milliseconds settle) {
  std::string text;
  detail::JsonWriter writer(text);
  write_key(writer, view, settle);
  return text;
}

void report_keys(Console& console, const ListPage& page, std::chrono::milliseconds settle, bool json) {
  if (json) {
    std::string text;
    detail::JsonWriter writer(text);
    writer.begin_object().key("keys").begin_array();
    for (const KeyView& view : page.keys) write_key(writer, view, settle);
    writer.end_array();
    if (!page.next_cursor.empty()) writer.key("nextCursor").string(page.next_cursor);
    writer.end_object();
    console.out << text << '\n';
    return;
  }
  for (const KeyView& view : page.keys) {
    console.out << std::left << std::setw(18) << state_text(view) << std::setw(10) << format_age(view.age) << view.key
                << '\n';
  }
  if (page.keys.empty()) console.err << "No keys.\n";
  if (!page.next_cursor.empty()) console.err << "More: --cursor " << page.next_cursor << '\n';
}

}  // namespace sms::cli
