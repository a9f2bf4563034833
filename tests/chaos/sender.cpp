// A process of the chaos run: offers every key until it is settled, one send at a time, and says each answer on
// standard output. It is killed at any moment.

#include <sms/sms.hpp>

#include <algorithm>
#include <chrono>
#include <deque>
#include <iostream>
#include <random>
#include <string>
#include <thread>

namespace {

using namespace std::chrono_literals;

struct Arguments {
  std::string store, provider, prefix;
  int keys = 0;
  unsigned seed = 0;
};

sms::ClientOptions options_for(const Arguments& arguments) {
  sms::TwilioOptions twilio;
  twilio.account_sid = "AC00000000000000000000000000000001";
  twilio.auth_token = sms::Secret("token");
  twilio.from = sms::From{std::string("+15550100001")};
  twilio.base_url = arguments.provider;
  sms::IdempotencyOptions idempotency;
  idempotency.store = sms::open_store(arguments.store);
  idempotency.finalize_timeout = 6s;
  idempotency.stale_reservation = 10s;
  sms::ClientOptions options;
  options.adapters = {sms::twilio(twilio)};
  options.timeout = 2s;
  options.queue_timeout = 500ms;
  options.policy_timeout = 500ms;
  options.retry.max_attempts = 1;
  options.idempotency = idempotency;
  return options;
}

sms::SendInput message(const std::string& key) {
  sms::SendInput input;
  input.to = "+14155550123";
  input.body = "Message of " + key;
  input.idempotency_key = key;
  return input;
}

/// True when the key needs no further offer. `settled`, `open` and `again` are what the run counts.
bool offer(sms::Client& client, const std::string& key) {
  const auto begin = std::chrono::steady_clock::now();
  const auto outcome = client.try_send(message(key));
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin);
  const std::string tail = " " + key + " " + std::to_string(took.count()) + " ";
  if (outcome) {
    std::cout << "accepted" << tail << outcome->provider_id << std::endl;
    return true;
  }
  const bool open = outcome.error().code() == sms::ErrorCode::handoff_unknown;
  std::cout << (open                           ? "open"
                : outcome.error().retry_safe() ? "again"
                                               : "failed")
            << tail << sms::to_string(outcome.error().code()) << std::endl;
  return !outcome.error().retry_safe();
}

}  // namespace

int main(int count, char** values) {
  if (count != 6) return EXIT_FAILURE;
  const Arguments arguments{values[1], values[2], values[3], std::atoi(values[4]),
                            static_cast<unsigned>(std::atoi(values[5]))};
  sms::Client client(options_for(arguments));
  std::deque<std::string> keys;
  for (int i = 0; i < arguments.keys; ++i) keys.push_back(arguments.prefix + std::to_string(i));
  std::ranges::shuffle(keys, std::mt19937(arguments.seed));
  std::size_t refused_in_a_row = 0;
  while (!keys.empty()) {
    const auto key = keys.front();
    keys.pop_front();
    if (offer(client, key)) {
      refused_in_a_row = 0;
      continue;
    }
    keys.push_back(key);
    if (++refused_in_a_row >= keys.size()) std::this_thread::sleep_for(100ms);
  }
  const auto report = client.close(std::chrono::steady_clock::now() + 20s);
  std::cout << "end " << report.owed.size() << " 0 -" << std::endl;
  return EXIT_SUCCESS;
}
