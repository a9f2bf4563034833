#include "stores/redis/rows.hpp"

#include <charconv>

namespace sms::detail {
namespace {

using std::chrono::milliseconds;

std::optional<WallTime> time_of(const RespValue& value) {
  const auto text = value.text_if();
  if (!text) return std::nullopt;
  std::int64_t ms = 0;
  const auto [end, fault] = std::from_chars(text->data(), text->data() + text->size(), ms);
  if (fault != std::errc() || end != text->data() + text->size()) return std::nullopt;
  return WallTime(milliseconds(ms));
}

}  // namespace

RedisRow read_row(const std::string& key, std::span<const RespValue> fields) {
  RedisRow row;
  row.key = key;
  row.state = parse_state(fields[0].text);
  row.fingerprint = fields[1].text;
  row.reservation_id = fields[2].text_if();
  row.reserved_at = time_of(fields[3]);
  row.record = fields[4].text_if();
  row.expires_at = time_of(fields[5]);
  row.updated_at = time_of(fields[6]);
  row.version = fields[7].text_if();
  return row;
}

std::vector<std::string> as_seen(const RedisRow& row) {
  std::vector<std::string> seen;
  const auto add = [&seen](const std::optional<std::string>& text) { seen.push_back(text ? "+" + *text : ""); };
  const auto add_time = [&](std::optional<WallTime> time) {
    add(time ? std::optional(std::to_string(in_ms(*time))) : std::nullopt);
  };
  add(std::string(to_string(row.state)));
  add(row.fingerprint);
  add(row.reservation_id);
  add_time(row.reserved_at);
  add(row.record);
  add_time(row.expires_at);
  add_time(row.updated_at);
  add(row.version);
  return seen;
}

WallTime answered_at(const RespValue& answer) { return time_of(answer.items.at(2)).value_or(WallTime()); }

std::vector<std::string> final_arguments(const FinalizeRequest& request) {
  const auto* accepted = std::get_if<AcceptedRecord>(&request.record);
  return {request.reservation_id,
          fingerprint_of(request.record),
          std::string(to_string(state_of(request.record))),
          to_json(request.record),
          std::to_string(request.ttl.count()),
          request.send_at ? std::to_string(in_ms(*request.send_at)) : std::string(),
          accepted == nullptr ? std::string() : accepted->result.provider_id,
          accepted == nullptr ? std::string() : accepted->result.provider};
}

}  // namespace sms::detail
