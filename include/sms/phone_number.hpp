#pragma once

#include <string>
#include <string_view>

namespace sms {

/// Whether a text has the form of an E.164 number: `+`, a digit 1 to 9, then 1 to 14 ASCII digits. The number need not
/// exist.
bool is_e164(std::string_view text) noexcept;

/// Masks a number for logs: keeps a leading `+`, the first digit and the last two (`+1********23`). A text of four
/// characters or fewer is masked whole. Counts UTF-16 code units.
std::string mask_phone_number(std::string_view text);

}  // namespace sms
