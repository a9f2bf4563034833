#pragma once

#include <sms/client.hpp>
#include <sms/error.hpp>
#include <sms/testing/memory_adapter.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <tuple>
#include <utility>

namespace sms::tests {

/// The clock of a host that is wrong by `offset`. Its boot clock and timers are right.
class OffsetClock final : public Clock {
 public:
  explicit OffsetClock(std::chrono::milliseconds offset) : offset_(offset) {}
  WallTime now() const override { return clock_->now() + offset_; }
  BootClock::time_point boot_time() const override { return clock_->boot_time(); }
  std::shared_ptr<Timer> after(std::chrono::nanoseconds delay, UniqueFunction<void()> fire) override {
    return clock_->after(delay, std::move(fire));
  }

 private:
  std::shared_ptr<Clock> clock_ = system_clock();
  std::chrono::milliseconds offset_;
};

/// Three hosts on one store: one with the right time, one an hour ahead, one an hour behind.
class ThreeHosts {
 public:
  explicit ThreeHosts(const std::function<std::shared_ptr<IdempotencyStore>()>& open) : open_(open) {}

  /// What a send of this key ends as: `sent`, `replayed`, or the code of its error.
  std::string send(const std::string& key, std::chrono::hours offset,
                   std::chrono::milliseconds ttl = std::chrono::hours(24)) {
    const auto client = make(offset, ttl);
    const auto outcome = client->try_send(message(key));
    if (!outcome) return std::string(to_string(outcome.error().code()));
    return outcome->replayed ? "replayed" : "sent";
  }
  /// A send that is under way until `let_end`.
  void begin(const std::string& key, std::chrono::hours offset) {
    testing::ScriptedOutcome hangs;
    hangs.hangs = true;
    adapter_->push(std::move(hangs));
    running_ = make(offset, std::chrono::hours(24));
    thread_ = std::thread([this, key] { std::ignore = running_->try_send(message(key)); });
    while (adapter_->sent().empty() || adapter_->sent().size() == messages_before_) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  void let_end() {
    adapter_->release_hung();
    thread_.join();
  }
  std::size_t messages() const { return adapter_->sent().size(); }

 private:
  std::unique_ptr<Client> make(std::chrono::hours offset, std::chrono::milliseconds ttl) {
    messages_before_ = messages();
    IdempotencyOptions idempotency;
    idempotency.store = open_();
    idempotency.ttl = ttl;
    ClientOptions options;
    options.adapters = {adapter_};
    options.clock = std::make_shared<OffsetClock>(offset);
    options.idempotency = idempotency;
    return std::make_unique<Client>(options, nullptr);
  }
  static SendInput message(const std::string& key) {
    SendInput input;
    input.to = "+14155550123";
    input.body = "Your order has shipped";
    input.idempotency_key = key;
    return input;
  }

  std::function<std::shared_ptr<IdempotencyStore>()> open_;
  std::shared_ptr<testing::MemoryAdapter> adapter_ = testing::memory({});
  std::size_t messages_before_ = 0;
  std::unique_ptr<Client> running_;
  std::thread thread_;
};

/// By whose clock a store lets records expire.
enum class Expiry { of_the_store, of_the_caller };

/// Plays what the guide's table of clocks says.
inline void expect_one_message_whatever_the_clocks(const std::function<std::shared_ptr<IdempotencyStore>()>& open,
                                                   Expiry expiry) {
  using std::chrono::hours;
  ThreeHosts hosts(open);
  EXPECT_EQ(hosts.send("clock:1", hours(0)), "sent");
  EXPECT_EQ(hosts.send("clock:1", hours(1)), "replayed");
  EXPECT_EQ(hosts.send("clock:1", hours(-1)), "replayed");

  EXPECT_EQ(hosts.send("clock:2", hours(-1)), "sent");
  EXPECT_EQ(hosts.send("clock:2", hours(1)), "replayed");

  for (const auto sender : {hours(0), hours(1), hours(-1)}) {
    const auto key = "clock:under way " + std::to_string(sender.count());
    const auto before = hosts.messages();
    hosts.begin(key, sender);
    for (const auto other : {hours(0), hours(1), hours(-1)}) {
      EXPECT_EQ(hosts.send(key, other), "idempotency_in_progress") << other.count() << " hours off";
    }
    hosts.let_end();
    EXPECT_EQ(hosts.send(key, hours(0)), "replayed");
    EXPECT_EQ(hosts.messages(), before + 1);
  }

  // A record that lives for half an hour, looked at by a host that is an hour ahead.
  EXPECT_EQ(hosts.send("clock:3", hours(0), std::chrono::minutes(30)), "sent");
  EXPECT_EQ(hosts.send("clock:3", hours(1)), expiry == Expiry::of_the_store ? "replayed" : "sent");
}

}  // namespace sms::tests
