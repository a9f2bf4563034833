#include "console.hpp"
#include "environment.hpp"
#include "program.hpp"

#include <string>
#include <vector>

int main(int argc, char** argv) {
  sms::cli::Console console = sms::cli::standard_console();
  const std::vector<std::string> words(argv + 1, argv + argc);
  return sms::cli::run(words, console, sms::cli::process_environment());
}
