#pragma once

#include <chrono>
#include <cstddef>
#include <iosfwd>
#include <string>

namespace sms::chaos {

struct RunOptions {
  std::string store;
  std::string sender;  ///< Path of the program chaos_sender.
  int keys = 300;
  int processes = 6;
  int kills = 20;
  int restarts = 2;
  int cuts = 20;
  unsigned seed = 1;
  std::chrono::milliseconds longest{300'000};
};

/// Lets processes offer all keys while they are killed, the server is restarted and connections are cut; then compares
/// what they were told, what the store has and what the provider's ledger says. Prints counts and every fault; answers
/// how many faults.
std::size_t run(const RunOptions& options, std::ostream& out);

}  // namespace sms::chaos
