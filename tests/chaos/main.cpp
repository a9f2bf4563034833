#include "chaos/chaotic_store.hpp"
#include "chaos/run.hpp"

#include <CLI/CLI.hpp>

#include <exception>
#include <iostream>

int main(int count, char** values) {
  sms::chaos::RunOptions options;
  options.sender = SMS_CHAOS_SENDER;
  CLI::App program("Kills senders, restarts servers and cuts connections, then looks for messages sent twice");
  std::vector<std::string> stores;
  program.add_option("--store", stores, "Which store; all when not given");
  program.add_option("--keys", options.keys, "Keys, each offered by every process")->capture_default_str();
  program.add_option("--processes", options.processes, "Senders at a time")->capture_default_str();
  program.add_option("--kills", options.kills, "kill -9 of a sender")->capture_default_str();
  program.add_option("--restarts", options.restarts, "Of the server")->capture_default_str();
  program.add_option("--cuts", options.cuts, "Of connections, while an answer is on its way")->capture_default_str();
  program.add_option("--seed", options.seed, "Of the order")->capture_default_str();
  CLI11_PARSE(program, count, values);
  if (stores.empty()) {
    for (const auto name : sms::chaos::chaotic_stores()) stores.emplace_back(name);
  }
  std::size_t faults = 0;
  for (const auto& store : stores) {
    options.store = store;
    try {
      faults += sms::chaos::run(options, std::cout);
    } catch (const std::exception& error) {
      std::cout << store << ": FAULT " << error.what() << std::endl;
      ++faults;
    }
  }
  std::cout << (faults == 0 ? "no faults" : std::to_string(faults) + " faults") << std::endl;
  return faults == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
