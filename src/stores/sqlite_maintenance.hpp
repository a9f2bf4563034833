#pragma once

#include <sms/store_maintenance.hpp>

#include "stores/sqlite_database.hpp"
#include "stores/sqlite_file.hpp"

#include <chrono>
#include <vector>

namespace sms::detail {

/// What can be told from outside: the file, its log, and what they lie on.
std::vector<StoreFinding> examine_file(const SqliteFile& file);

/// What the connection that writes says of itself.
std::vector<StoreFinding> examine_database(SqliteDatabase& database);

/// On a connection of its own, which takes the file as it is. Throws `StoreUnavailableError`.
void acknowledge_restore(const SqliteFile& file, std::chrono::milliseconds busy_timeout, const OperatorNote& note);

}  // namespace sms::detail
