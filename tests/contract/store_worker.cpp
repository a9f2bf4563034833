#include <sms/stores/open.hpp>
#include <sms/stores/sqlite.hpp>
#include <sms/testing/store_history.hpp>

#include "testing/store_probe.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <future>
#include <iostream>
#include <string>
#include <vector>

/// A process that uses a store: told by its first argument what to do, it says on its standard output what it was
/// answered.
namespace sms::tests {
namespace {

using testing::accepted;
using testing::finalize_request;
using testing::reserve_request;

struct Arguments {
  std::string path, owner, prefix;
  int count = 0;
};

void say(const std::string& line) { std::cout << line << std::endl; }

template <class T, class Start>
Expected<T> answer_of(Start start) {
  auto promise = std::make_shared<std::promise<Expected<T>>>();
  auto answer = promise->get_future();
  start(Callback<T>([promise](Expected<T> result) { promise->set_value(std::move(result)); }));
  return answer.get();
}

std::shared_ptr<IdempotencyStore> open(const Arguments& arguments) {
  SqliteOptions options;
  options.path = arguments.path;
  options.busy_timeout = std::chrono::seconds(30);
  return sqlite_idempotency_store(options);
}

/// Claims the keys all at once, when a line comes in. Says which it got.
void claim(const Arguments& arguments) {
  const auto store = open(arguments);
  say("ready");
  std::string line;
  std::getline(std::cin, line);
  std::vector<std::future<Expected<ReserveResult>>> answers;
  for (int i = 0; i < arguments.count; ++i) {
    auto promise = std::make_shared<std::promise<Expected<ReserveResult>>>();
    answers.push_back(promise->get_future());
    store->reserve(reserve_request(arguments.prefix + std::to_string(i), arguments.owner),
                   [promise](Expected<ReserveResult> answer) { promise->set_value(std::move(answer)); });
  }
  for (int i = 0; i < arguments.count; ++i) {
    const auto answer = answers[static_cast<std::size_t>(i)].get();
    if (!answer) {
      say(std::string("failed ") + answer.error().what());
    } else if (std::holds_alternative<Reserved>(*answer)) {
      say("won " + arguments.prefix + std::to_string(i));
    }
  }
}

/// Claims and finalizes key after key until it is killed. Says each answer as soon as it has it.
void churn(const Arguments& arguments) {
  const auto store = open(arguments);
  for (int i = 0;; ++i) {
    const auto key = arguments.prefix + std::to_string(i);
    auto request = reserve_request(key, arguments.owner);
    request.stale_reservation = std::chrono::milliseconds(1);
    const auto reserved =
        answer_of<ReserveResult>([&](Callback<ReserveResult> done) { store->reserve(request, std::move(done)); });
    if (!reserved || !std::holds_alternative<Reserved>(*reserved)) return say("failed to reserve " + key);
    say("reserved " + key);
    const auto finalized = answer_of<FinalizeResult>([&](Callback<FinalizeResult> done) {
      store->finalize(finalize_request(key, arguments.owner, accepted(key)), std::move(done));
    });
    if (!finalized || *finalized != FinalizeResult::finalized) return say("failed to finalize " + key);
    say("accepted " + key);
  }
}

/// Races for keys on the store of a URL, when a line comes in. Says every event.
void race(const Arguments& arguments) {
  const auto store = open_store(arguments.path);
  testing::StoreRace race;
  race.caller = arguments.owner;
  race.key_prefix = arguments.prefix;
  race.seed = static_cast<std::uint64_t>(arguments.count) + 1;
  say("ready");
  std::string line;
  std::getline(std::cin, line);
  for (const auto& event : race_for_keys(*store, race)) std::cout << to_line(event) << "\n";
  std::cout << std::flush;
}

/// Holds the lock over all processes, as one does that was stopped in the middle of a commit.
void hold(const Arguments& arguments) {
  const int file = ::open((arguments.path + "-lock").c_str(), O_RDWR | O_CLOEXEC);
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = 1;
  lock.l_len = 1;
  say(fcntl(file, F_OFD_SETLKW, &lock) == 0 ? "held" : "failed to hold");
  for (;;) pause();
}

}  // namespace
}  // namespace sms::tests

int main(int count, char** values) {
  using namespace sms::tests;
  if (count != 6) return EXIT_FAILURE;
  const std::string what = values[1];
  const Arguments arguments{values[2], values[3], values[4], std::atoi(values[5])};
  if (what == "claim") claim(arguments);
  if (what == "churn") churn(arguments);
  if (what == "race") race(arguments);
  if (what == "hold") hold(arguments);
  return EXIT_SUCCESS;
}
