#include "core/operator_rules.hpp"

#include <sms/entropy.hpp>

#include <algorithm>
#include <charconv>

namespace sms::detail {
namespace {

using std::chrono::milliseconds;

bool matches(KeyFilter filter, const KeyView& view) {
  const auto state = state_of(view.record);
  switch (filter) {
    case KeyFilter::open:
      return is_open(view);
    case KeyFilter::all:
      return true;
    case KeyFilter::reserved:
      return state == RecordState::reserved;
    case KeyFilter::accepted:
      return state == RecordState::accepted;
    case KeyFilter::rejected:
      return state == RecordState::rejected;
    case KeyFilter::unknown:
      return state == RecordState::unknown;
  }
  return false;
}

}  // namespace

std::optional<WallTime> open_since(const KeyView& view, milliseconds stale_after) {
  switch (state_of(view.record)) {
    case RecordState::reserved:
      return view.since && !view.malformed ? std::optional(*view.since + stale_after) : std::nullopt;
    case RecordState::unknown:
      return view.since;
    case RecordState::accepted:
    case RecordState::rejected:
      break;
  }
  return std::nullopt;
}

bool is_open(const KeyView& view) { return view.stale || state_of(view.record) == RecordState::unknown; }

bool is_listed(const KeyView& view, const ListRequest& request) {
  return matches(request.filter, view) && view.age >= request.min_age && view.key.starts_with(request.prefix);
}

OperatorResult may_resolve(const std::optional<KeyView>& seen, const ResolveRequest& request) {
  if (!seen) return OperatorResult::not_found;
  if (seen->token != request.token) return OperatorResult::changed;
  return is_open(*seen) ? OperatorResult::done : OperatorResult::not_open;
}

OperatorResult may_release(const std::optional<KeyView>& seen, const ReleaseRequest& request,
                           milliseconds stale_after) {
  if (!seen) return OperatorResult::not_found;
  if (seen->token != request.token) return OperatorResult::changed;
  const bool reserved = state_of(seen->record) == RecordState::reserved;
  if (!is_open(*seen) && !(reserved && request.force)) return OperatorResult::not_open;
  const auto open_for = reserved ? seen->age - stale_after : seen->age;
  return request.force || open_for >= request.settle ? OperatorResult::done : OperatorResult::not_settled;
}

void count(StoreStats& stats, const KeyView& view) {
  switch (state_of(view.record)) {
    case RecordState::reserved:
      ++stats.reserved;
      break;
    case RecordState::accepted:
      ++stats.accepted;
      break;
    case RecordState::rejected:
      ++stats.rejected;
      break;
    case RecordState::unknown:
      ++stats.unknown;
      break;
  }
  if (view.stale) ++stats.stale;
  if (is_open(view) && view.since && (!stats.oldest_open || *view.since < *stats.oldest_open)) {
    stats.oldest_open = view.since;
  }
}

ListCursor ListCursor::parse(const std::string& text) {
  ListCursor cursor;
  std::int64_t since = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), since);
  if (fault != std::errc() || end == text.data() + text.size() || *end != ':') return cursor;
  cursor.since = WallTime(milliseconds(since));
  cursor.key = std::string(end + 1, text.data() + text.size());
  return cursor;
}

std::string ListCursor::to_text() const { return std::to_string(since.time_since_epoch().count()) + ":" + key; }

std::string message_id_of(const std::optional<std::string>& reservation_id) {
  constexpr std::string_view digits = "0123456789abcdef";
  constexpr std::size_t length = 32;
  if (reservation_id && reservation_id->size() == length &&
      reservation_id->find_first_not_of(digits) == std::string::npos) {
    return "sms_" + *reservation_id;
  }
  std::string id = "sms_";
  for (const auto byte : system_entropy()->draw()) {
    id += digits[byte >> 4U];
    id += digits[byte & 15U];
  }
  return id;
}

std::string_view audit_action(const ResolveRequest&) { return "resolve"; }
std::string_view audit_action(const ReleaseRequest& request) { return request.force ? "release (forced)" : "release"; }

}  // namespace sms::detail
