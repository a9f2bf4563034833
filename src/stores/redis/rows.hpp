#pragma once

#include <sms/idempotency.hpp>

#include "core/stored_row.hpp"
#include "stores/redis/resp.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sms::detail {

struct RedisRow : StoredRow {
  std::optional<std::string> version;
};

/// The fields of a row, in the order of `redis_row_fields`. Throws `StoreUnavailableError` where they are no row.
RedisRow read_row(const std::string& key, std::span<const RespValue> fields);
/// The row as a script compares it.
std::vector<std::string> as_seen(const RedisRow& row);

/// When the server answered, by its own clock.
WallTime answered_at(const RespValue& answer);

/// What the scripts that write a final record want from ARGV[3].
std::vector<std::string> final_arguments(const FinalizeRequest& request);

}  // namespace sms::detail
