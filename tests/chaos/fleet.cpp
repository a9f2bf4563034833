#include "chaos/fleet.hpp"

#include <signal.h>

#include <algorithm>
#include <sstream>

namespace sms::chaos {

Fleet::Fleet(Offers offers, int processes, unsigned seed) : offers_(std::move(offers)), random_(seed) {
  senders_.resize(static_cast<std::size_t>(processes));
  for (std::size_t place = 0; place < senders_.size(); ++place) start(place);
}

Fleet::~Fleet() {
  for (auto& sender : senders_) {
    sender.process->signal(SIGKILL);
    sender.reader.join();
  }
}

void Fleet::start(std::size_t place) {
  auto& sender = senders_[place];
  sender.process = std::make_unique<tests::ChildProcess>(
      std::vector<std::string>{offers_.program, offers_.store, offers_.provider, offers_.prefix,
                               std::to_string(offers_.keys), std::to_string(++started_)});
  ++running_;
  sender.reader = std::thread([this, &process = *sender.process] { read(process); });
}

void Fleet::kill_one() {
  const auto place = random_() % senders_.size();
  auto& sender = senders_[place];
  sender.process->signal(SIGKILL);
  sender.reader.join();
  start(place);
}

std::size_t Fleet::settled() const {
  const std::lock_guard lock(mutex_);
  return told_.accepted.size() + told_.open.size();
}

void Fleet::read(tests::ChildProcess& process) {
  for (auto line = process.read_line(); !line.empty(); line = process.read_line()) note(line);
  --running_;
}

void Fleet::note(const std::string& line) {
  std::istringstream words(line);
  std::string what;
  std::string key;
  std::chrono::milliseconds::rep took = 0;
  std::string detail;
  words >> what >> key >> took >> detail;
  const std::lock_guard lock(mutex_);
  if (what == "end") {
    told_.owed += std::stoul(key);
    return;
  }
  ++told_.answers;
  told_.slowest = std::max(told_.slowest, std::chrono::milliseconds(took));
  if (what == "accepted") {
    told_.accepted[key].insert(detail);
  } else if (what == "open") {
    told_.open.insert(key);
  } else if (what == "again") {
    ++told_.again;
  } else {
    told_.failed.push_back(line);
  }
}

}  // namespace sms::chaos
