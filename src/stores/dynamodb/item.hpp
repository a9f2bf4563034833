#pragma once

#include "core/json_reading.hpp"
#include "core/stored_row.hpp"
#include "stores/dynamodb/item_request.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace sms::detail {

/// Longer than any key that a client takes (255 characters), so that no message can have a key of ours.
const std::string& reserved_prefix();

/// What an item says of its key.
struct DynamoRow {
  StoredRow row;
  /// An operator deleted the record; what is left waits until the audit row stands on its own.
  bool released = false;
  /// The audit row of the last change by an operator, where it may stand nowhere else yet. JSON.
  std::optional<std::string> audit;

  bool free(WallTime now) const { return released || row.expired(now); }
};

/// Attributes of an item as DynamoDB writes them: `{"name":{"S":"text"}}`. Absent where it is none of that type.
std::optional<std::string> text_attribute(const boost::json::value& item, std::string_view name);
std::optional<std::int64_t> number_attribute(const boost::json::value& item, std::string_view name);

/// Throws `StoreUnavailableError` for an item that cannot be read; it is never taken for a free key.
DynamoRow row_of(const boost::json::value& item);

/// What a final record says, as the attributes of its item.
struct FinalValues {
  std::string fingerprint, state, reservation_id, record;
  std::optional<WallTime> expires_at;
  WallTime at{};
  std::optional<std::string> provider_id;
};
FinalValues final_values(const FinalizeRequest& request);
/// Lets the request write it. `more`: further parts of its SET.
void write_final(ItemRequest& request, const FinalValues& values, std::string_view more = {});

/// Lets the request act only while the item is byte for byte what was seen; null: only while there is none.
void unless_changed(ItemRequest& request, const DynamoRow* seen);

}  // namespace sms::detail
