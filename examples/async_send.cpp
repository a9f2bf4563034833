// Ten thousand messages in flight without ten thousand threads, with the in-memory adapter of the testing kit.

#include <sms/sms.hpp>
#include <sms/testing/memory_adapter.hpp>

#include <atomic>
#include <chrono>
#include <iostream>
#include <string>

int main() {
  sms::IdempotencyOptions idempotency;
  idempotency.store = sms::memory_idempotency_store();

  sms::ClientOptions options;
  options.adapters = {sms::testing::memory()};
  options.idempotency = idempotency;
  sms::Client client(options);

  std::atomic<int> accepted{0};
  std::atomic<int> failed{0};
  for (int i = 0; i < 10'000; ++i) {
    sms::SendInput message;
    message.to = "+14155550123";
    message.body = "Reminder " + std::to_string(i);
    message.idempotency_key = "reminder:" + std::to_string(i);
    client.async_send(std::move(message), {}, [&](sms::SendOutcome outcome) {
      ++(outcome ? accepted : failed);  // Runs on a thread of the client: must not block.
    });
  }

  // Waits for running sends, late answers and outcomes that the store does not have yet.
  const sms::CloseReport report = client.close(std::chrono::steady_clock::now() + std::chrono::seconds(30));
  std::cout << accepted << " accepted, " << failed << " failed, "
            << (report.clean() ? "nothing left over\n" : "see report\n");
  return report.clean() && failed == 0 ? 0 : 1;
}
