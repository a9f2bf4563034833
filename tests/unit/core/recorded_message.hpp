#pragma once

#include <sms/message.hpp>

#include "conformance/vector_file.hpp"

#include <optional>

namespace sms::tests {

/// The message of a recorded case; absent where C++ types cannot say it (a number for a body, null for a key, a lone
/// surrogate).
std::optional<SendInput> recorded_message(const boost::json::object& input);

conformance::VectorFile recorded(const char* file);

}  // namespace sms::tests
