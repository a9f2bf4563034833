#pragma once

#include <sms/stores/dynamodb.hpp>

namespace sms::detail {

/// Checked, and with what was left out filled in. Throws `ConfigurationError`.
DynamodbOptions complete(DynamodbOptions options);

}  // namespace sms::detail
