#pragma once

#include <chrono>
#include <map>
#include <string>

namespace sms::tests {

/// The header `Authorization` that this request to `/` must have, computed apart from the code under test.
/// `headers`: all of the request, names in lower case. Which of them are signed is read from `authorization`.
std::string expected_authorization(const std::map<std::string, std::string>& headers, const std::string& body,
                                   const std::string& authorization, const std::string& access_key_id,
                                   const std::string& secret, const std::string& region);

/// Of `20150830T123600Z`; the epoch for another text.
std::chrono::system_clock::time_point time_of_amz_date(const std::string& text);

}  // namespace sms::tests
