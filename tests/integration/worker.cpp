// A process that sends, and that can be stopped or killed at a chosen moment of a send. The test says what to do in its
// arguments and reads counts from standard output.

#include <sms/sms.hpp>

#include <signal.h>
#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace std::chrono_literals;

enum class Moment { none, stop_in_policy, stop_before_request, kill_after_answer, full_disk_before_request };

/// Twilio's adapter with an accident around its request.
class AccidentAdapter final : public sms::Adapter {
 public:
  AccidentAdapter(std::shared_ptr<sms::Adapter> inner, Moment moment) : inner_(std::move(inner)), moment_(moment) {}

  const sms::AdapterInfo& info() const override { return inner_->info(); }
  std::vector<sms::ValidationIssue> validate(const sms::AdapterMessage& message) const override {
    return inner_->validate(message);
  }
  bool commits() const override { return inner_->commits(); }
  void send(sms::AdapterMessage message, sms::SendContext context, sms::Callback<sms::AdapterOutcome> done) override {
    if (moment_ == Moment::stop_before_request) raise(SIGSTOP);
    if (moment_ == Moment::full_disk_before_request) fill_disk();
    inner_->send(std::move(message), std::move(context),
                 [moment = moment_, done = std::move(done)](sms::Expected<sms::AdapterOutcome> outcome) mutable {
                   if (moment == Moment::kill_after_answer) raise(SIGKILL);
                   done(std::move(outcome));
                 });
  }

 private:
  /// No file of this process can be written beyond its first bytes any more.
  static void fill_disk() {
    const rlimit limit{100, RLIM_INFINITY};
    setrlimit(RLIMIT_FSIZE, &limit);
  }

  std::shared_ptr<sms::Adapter> inner_;
  Moment moment_;
};

sms::ClientOptions options_for(const std::string& database, const std::string& url, Moment moment) {
  sms::TwilioOptions twilio;
  twilio.account_sid = "AC00000000000000000000000000000001";
  twilio.auth_token = sms::Secret("token");
  twilio.from = sms::From{std::string("+15550100001")};
  twilio.base_url = url;

  sms::SqliteOptions sqlite;
  sqlite.path = database;
  sms::IdempotencyOptions idempotency;
  idempotency.store = sms::sqlite_idempotency_store(sqlite);

  sms::ClientOptions options;
  options.adapters = {std::make_shared<AccidentAdapter>(sms::twilio(twilio), moment)};
  if (moment != Moment::none) {
    options.timeout = 500ms;
    options.queue_timeout = 200ms;
    options.policy_timeout = 500ms;
    options.retry.max_attempts = 1;
    idempotency.finalize_timeout = 500ms;
    idempotency.stale_reservation = 2'000ms;
  }
  options.idempotency = idempotency;
  if (moment == Moment::stop_in_policy) {
    options.before_send = [](const sms::PolicyContext&) {
      raise(SIGSTOP);
      return sms::Allow{};
    };
    // The stop must not be taken for a slow policy.
    options.policy_timeout = 60s;
    options.idempotency->stale_reservation = 70s;
  }
  return options;
}

sms::SendInput message(const std::string& key) {
  sms::SendInput input;
  input.to = "+14155550123";
  input.body = "Message of " + key;
  input.idempotency_key = key;
  return input;
}

int send_one(const std::string& database, const std::string& url, const std::string& key, Moment moment) {
  auto options = options_for(database, url, moment);
  std::atomic<int> store_errors{0};
  options.hooks.on_store_error = [&](const sms::StoreErrorEvent&) { ++store_errors; };
  sms::Client client(std::move(options));
  const auto outcome = client.try_send(message(key));
  client.close(std::chrono::steady_clock::now() + 100ms);
  std::cout << (outcome ? "accepted" : std::string(sms::to_string(outcome.error().code()))) << " " << store_errors
            << std::endl;
  return 0;
}

/// `threads` threads offer `keys` keys `times` times, each in an order of its own; a key in progress is offered again
/// later.
int send_many(const std::string& database, const std::string& url, int threads, int keys, int times, int seed) {
  sms::Client client(options_for(database, url, Moment::none));
  std::mutex mutex;
  std::map<std::string, int> counts;
  std::atomic<int> next{0};
  std::vector<std::thread> senders;
  for (int t = 0; t < threads; ++t) {
    senders.emplace_back([&] {
      for (;;) {
        const int offer = next++;
        if (offer >= keys * times) return;
        const auto key = "key:" + std::to_string((offer * 7 + seed * 31) % keys);
        for (;;) {
          const auto outcome = client.try_send(message(key));
          const std::string word(outcome ? "accepted" : sms::to_string(outcome.error().code()));
          {
            const std::lock_guard lock(mutex);
            ++counts[word];
          }
          if (outcome || outcome.error().code() != sms::ErrorCode::idempotency_in_progress) break;
          std::this_thread::sleep_for(5ms);
        }
      }
    });
  }
  for (auto& sender : senders) sender.join();
  for (const auto& [word, count] : counts) std::cout << word << " " << count << "\n";
  std::cout << std::flush;
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  signal(SIGXFSZ, SIG_IGN);
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const std::map<std::string, Moment> moments = {{"once", Moment::none},
                                                 {"stop_in_policy", Moment::stop_in_policy},
                                                 {"stop_before_request", Moment::stop_before_request},
                                                 {"kill_after_answer", Moment::kill_after_answer},
                                                 {"full_disk", Moment::full_disk_before_request}};
  const auto& what = arguments.at(0);
  if (what == "many") {
    return send_many(arguments.at(1), arguments.at(2), std::stoi(arguments.at(3)), std::stoi(arguments.at(4)),
                     std::stoi(arguments.at(5)), std::stoi(arguments.at(6)));
  }
  return send_one(arguments.at(1), arguments.at(2), arguments.at(3), moments.at(what));
}
