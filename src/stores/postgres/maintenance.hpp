#pragma once

#include <sms/store_maintenance.hpp>

#include "stores/postgres/home.hpp"

#include <string>
#include <vector>

namespace sms::detail {

/// Throw `PgFailure`, `examine_store` excepted.
void migrate_store(PgHome& home);
std::vector<StoreFinding> examine_store(PgHome& home);
void acknowledge_history(PgHome& home, const OperatorNote& note);

}  // namespace sms::detail
