#pragma once

#include <sms/adapter.hpp>

#include "providers/refusal.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace sms::detail {

/// What there is to know of Telnyx, as data.

AdapterInfo telnyx_info(std::string name, std::optional<From> default_sender);
CodeTable telnyx_codes() noexcept;
Delivery telnyx_delivery(std::string_view recipient_status) noexcept;

}  // namespace sms::detail
