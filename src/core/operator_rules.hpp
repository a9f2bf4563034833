#pragma once

#include <sms/operator_store.hpp>

#include <chrono>
#include <optional>
#include <string>

namespace sms::detail {

/// The rules for operators as functions on what they see, for stores that decide outside of their database.

/// When the key became, or will become, one that needs an operator. `stale_after`: of the most patient client of the
/// store.
std::optional<WallTime> open_since(const KeyView& view, std::chrono::milliseconds stale_after);

/// Unknown or stale: what an operator may settle.
bool is_open(const KeyView& view);

/// Whether the key stands in this list, cursor and limit apart.
bool is_listed(const KeyView& view, const ListRequest& request);

/// `done` where the request may be carried out, as far as the key itself tells.
OperatorResult may_resolve(const std::optional<KeyView>& seen, const ResolveRequest& request);
OperatorResult may_release(const std::optional<KeyView>& seen, const ReleaseRequest& request,
                           std::chrono::milliseconds stale_after);

/// Counts a row that has not expired.
void count(StoreStats& stats, const KeyView& view);

/// Where a page of a list ended.
struct ListCursor {
  WallTime since{std::chrono::milliseconds(-1)};
  std::string key = {};

  /// The beginning, for a text that is no cursor.
  static ListCursor parse(const std::string& text);
  std::string to_text() const;
  auto operator<=>(const ListCursor&) const = default;
};

/// The ID of the message that a row is about: that of its reservation, as every send has it; a new one for a row that
/// has none of ours.
std::string message_id_of(const std::optional<std::string>& reservation_id);

/// The words of audit rows.
std::string_view audit_action(const ResolveRequest& request);
std::string_view audit_action(const ReleaseRequest& request);

}  // namespace sms::detail
