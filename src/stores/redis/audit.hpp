#pragma once

#include <sms/operator_store.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace sms::detail {

/// An audit row as the scripts append it to a list, after the server's time and the nonce of the write: each text with
/// its length before it.
std::string audit_text(const OperatorNote& note, std::string_view action, std::string_view before);
/// Absent for what is no audit row.
std::optional<AuditRow> read_audit(const std::string& key, std::string_view entry);

}  // namespace sms::detail
