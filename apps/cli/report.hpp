#pragma once

#include <sms/error.hpp>
#include <sms/result.hpp>

#include "console.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace sms::cli {

/// What a person does after an error: whether sending again is safe, and what comes next.
struct Advice {
  std::string_view again;
  std::string_view next;
};
Advice advice_for(const Error& error) noexcept;

/// The error as three lines for people, or as `{"error": ...}`: text goes to the error output, JSON to the output.
/// `key` is the one of the message, where it has one: the advice then names it.
void report_error(Console& console, const Error& error, bool json, const std::optional<std::string>& key = {});
void report_usage_error(Console& console, std::string_view message, bool json);

/// The result as lines for people, or as its JSON.
void report_result(Console& console, const SendResult& result, bool json);

/// `twilio #1: accepted in 120ms`
std::string attempt_text(const Attempt& attempt);

}  // namespace sms::cli
