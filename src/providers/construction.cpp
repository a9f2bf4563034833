#include "providers/construction.hpp"

#include <sms/adapter_kit.hpp>
#include <sms/error.hpp>

#include "core/validation_rules.hpp"

#include <algorithm>

namespace sms::detail {

std::string checked_base_url(std::string_view base_url, bool allow_insecure) {
  if (const auto fault = base_url_fault(base_url, allow_insecure)) throw ConfigurationError("base_url: " + *fault);
  return std::string(base_url.substr(0, base_url.find_last_not_of('/') + 1));
}

void check_default_sender(const Adapter& adapter) {
  if (!adapter.info().default_sender) return;
  AdapterMessage probe;
  probe.to = "+15550100000";
  probe.body = "-";
  probe.from = adapter.info().default_sender;
  for (const auto& issue : adapter_issues(adapter, probe)) throw ConfigurationError(issue.message);
}

bool is_sid(std::string_view prefix, std::string_view text) noexcept {
  constexpr std::size_t digits = 32;
  const auto is_hex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); };
  return text.size() == prefix.size() + digits && text.starts_with(prefix) &&
         std::all_of(text.begin() + static_cast<std::ptrdiff_t>(prefix.size()), text.end(), is_hex);
}

}  // namespace sms::detail
