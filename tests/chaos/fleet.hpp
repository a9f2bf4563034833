#pragma once

#include "support/child_process.hpp"

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace sms::chaos {

struct Offers {
  std::string program;  ///< The sender.
  std::string store, provider, prefix;
  int keys = 0;
};

/// What the senders were told.
struct Told {
  std::map<std::string, std::set<std::string>> accepted;  ///< By key: the provider's IDs.
  std::set<std::string> open;                             ///< Keys said to need an operator.
  std::vector<std::string> failed;                        ///< Lines that must not be.
  std::size_t answers = 0, again = 0, owed = 0;
  std::chrono::milliseconds slowest{0};
};

/// Sender processes, each of which offers every key. One that is killed is replaced until `stop_replacing`.
class Fleet {
 public:
  Fleet(Offers offers, int processes, unsigned seed);
  Fleet(const Fleet&) = delete;
  Fleet& operator=(const Fleet&) = delete;
  ~Fleet();

  /// kill -9 of a random sender and a new one in its place.
  void kill_one();
  std::size_t settled() const;
  bool ended() const { return running_ == 0; }
  /// Precondition: `ended()`.
  const Told& told() const { return told_; }

 private:
  struct Sender {
    std::unique_ptr<tests::ChildProcess> process;
    std::thread reader;
  };

  void start(std::size_t place);
  void read(tests::ChildProcess& process);
  void note(const std::string& line);

  Offers offers_;
  std::mt19937 random_;
  unsigned started_ = 0;
  std::vector<Sender> senders_;
  std::atomic<int> running_{0};
  mutable std::mutex mutex_;
  Told told_;
};

}  // namespace sms::chaos
