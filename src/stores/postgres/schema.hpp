#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sms::detail {

/// The statements of the migration, each to be executed alone and outside of a transaction of others.
const std::vector<std::string>& postgres_migration();

inline constexpr std::string_view postgres_indexes[] = {"sms_idempotency_open", "sms_idempotency_expiry",
                                                        "sms_idempotency_provider_id"};

}  // namespace sms::detail
