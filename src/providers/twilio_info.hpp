#pragma once

#include <sms/adapter.hpp>

#include "providers/refusal.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sms::detail {

/// What there is to know of Twilio, as data.

AdapterInfo twilio_info(std::string name, std::optional<From> default_sender);
CodeTable twilio_codes() noexcept;
Delivery twilio_delivery(std::string_view status) noexcept;
/// What only a messaging service can do, and the form of its ID.
std::vector<ValidationIssue> twilio_issues(const std::string& name, const AdapterMessage& message);

}  // namespace sms::detail
