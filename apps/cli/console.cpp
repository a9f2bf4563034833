#include "console.hpp"

#include "usage_error.hpp"

#include <unistd.h>

#include <iostream>

namespace sms::cli {

Console standard_console() {
  const bool error_is_terminal = ::isatty(STDERR_FILENO) == 1;
  return {.in = std::cin,
          .out = std::cout,
          .err = std::cerr,
          .input_fd = STDIN_FILENO,
          .interactive = error_is_terminal && ::isatty(STDIN_FILENO) == 1,
          .shows_progress = error_is_terminal};
}

std::string read_text(Console& console, std::size_t limit) {
  std::string text(limit + 2, '\0');
  console.in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(console.in.gcount()));
  if (text.ends_with('\n')) text.pop_back();
  if (text.size() > limit) throw UsageError("standard input is longer than " + std::to_string(limit) + " bytes");
  return text;
}

Consent confirm(Console& console, const std::string& question, bool yes) {
  if (yes) return Consent::given;
  if (!console.interactive) throw UsageError("there is no terminal to confirm on: --yes is needed");
  console.err << question << " [y/N] " << std::flush;
  std::string answer;
  std::getline(console.in, answer);
  return answer == "y" || answer == "Y" || answer == "yes" ? Consent::given : Consent::refused;
}

}  // namespace sms::cli
