#pragma once

#include <istream>
#include <ostream>
#include <string>

namespace sms::cli {

/// Where a command reads and writes. Results go to `out`, all else to `err`, so that scripts can parse the one.
struct Console {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  int input_fd = 0;             ///< The descriptor behind `in`, for reading that can be interrupted.
  bool interactive = false;     ///< Somebody can answer a question: input and error output are terminals.
  bool shows_progress = false;  ///< Error output is a terminal.
};

Console standard_console();

/// Standard input up to `limit` bytes, less one final line break (`echo` adds one). Throws `UsageError` when it is
/// longer.
std::string read_text(Console& console, std::size_t limit);

/// What a question was answered with.
enum class Consent { given, refused };

/// Asks on a terminal; `yes` answers without asking. Throws `UsageError` where nobody can answer.
Consent confirm(Console& console, const std::string& question, bool yes);

}  // namespace sms::cli
