#pragma once

#include "console.hpp"
#include "environment.hpp"

#include <string>
#include <vector>

namespace sms::cli {

/// The whole program: reads the words after its name, runs the command, answers its exit code.
int run(const std::vector<std::string>& words, Console& console, const Environment& environment);

}  // namespace sms::cli
