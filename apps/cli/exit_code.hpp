#pragma once

#include <sms/error.hpp>

namespace sms::cli {

/// What a script learns from the program; the numbers are part of its contract. Where several messages are sent, the
/// highest one counts.
enum class ExitCode : int {
  done = 0,
  check_failed = 1,
  usage = 2,
  invalid = 3,  ///< The message or the configuration.
  not_found = 4,
  refused = 5,    ///< An operator's change that would not be safe.
  rejected = 10,  ///< Sending again with the same key is safe.
  unknown = 20,   ///< Never resend.
  conflict = 30,  ///< The key was used for another message.
  in_progress = 31,
  store_unavailable = 40,  ///< Nothing was sent.
  aborted = 50             ///< Cancelled with nothing in flight.
};

ExitCode exit_code_of(const Error& error) noexcept;

}  // namespace sms::cli
